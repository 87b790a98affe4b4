package io.muninn.sim;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The observers of a simulation, and for each frequent method the observers whose class implements
 * it, in the same order. Most observers implement few of these methods.
 */
final class Observers {
    /** A frequent method of {@link Observer}. */
    enum Call {
        FAULT("onFault"),
        FAULT_AGAIN("onFaultAgain"),
        PAGE_WAITED("onPageWaited"),
        CALL_WAITED("onCallWaited"),
        ACQUIRED("onAcquired"),
        RELEASE("onRelease"),
        PERMITTED("onPermitted"),
        UNPERMITTED("onPermissionEnded"),
        ACQUIRE_PERFORMED("onAcquirePerformed"),
        RELEASE_PERFORMED("onReleasePerformed"),
        OWN_MESSAGE("onOwnMessage"),
        PAGE_EVENT("onPageEvent"),
        LOAD("onLoad"),
        STORE("onStore"),
        READY("onReady"),
        SWITCH("onSwitch"),
        RUN("onRun"),
        STAND("onStand"),
        IMAGE("onImage"),
        POOL("onPool"),
        MESSAGE("onMessage"),
        BEFORE_STEP("beforeStep"),
        STEPPED("onStepped"),
        AFTER_STEP("afterStep");

        private final String method;

        Call(String method) {
            this.method = method;
        }
    }

    /** The names of the methods that a class implements; no method is overloaded. */
    private static final ClassValue<Set<String>> IMPLEMENTED =
            new ClassValue<>() {
                @Override
                protected Set<String> computeValue(Class<?> type) {
                    Set<String> names = new HashSet<>();
                    for (Method method : type.getMethods()) {
                        if (method.getDeclaringClass() != Observer.class) {
                            names.add(method.getName());
                        }
                    }
                    return names;
                }
            };

    private static final Observer[] NONE = {};

    private final List<Observer> all;
    private final Map<Call, Observer[]> byCall = new EnumMap<>(Call.class);

    Observers(List<Observer> observers) {
        all = List.copyOf(observers);
        Map<Call, List<Observer>> lists = new HashMap<>();
        Arrays.stream(Call.values()).forEach(call -> lists.put(call, new ArrayList<>()));
        for (Observer observer : all) {
            Set<String> implemented = IMPLEMENTED.get(observer.getClass());
            lists.forEach((call, list) -> {
                if (implemented.contains(call.method)) {
                    list.add(observer);
                }
            });
        }
        lists.forEach((call, list) -> byCall.put(call, list.toArray(new Observer[0])));
    }

    List<Observer> all() {
        return all;
    }

    /** The observers that implement a method; callers must not change the array. */
    Observer[] of(Call call) {
        Observer[] found = byCall.get(call);
        return found == null ? NONE : found;
    }
}
