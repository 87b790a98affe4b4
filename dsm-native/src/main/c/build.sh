#!/bin/sh
# Compiles libdsmfault.so and its C tests. Needs a C compiler, nothing else.
#   build.sh library OUTPUT_DIRECTORY
#   build.sh test    OUTPUT_DIRECTORY            builds with sanitizers, and runs
#   build.sh application OUTPUT_DIRECTORY LIBRARY_DIRECTORY   page_threads, for tests in Java
#   build.sh kernels OUTPUT_DIRECTORY [PAGES]    every diff kernel on random pages, as optimized
#   build.sh bench   OUTPUT_DIRECTORY [MILLIS]   what diff kernels take, beside memcmp
#   build.sh pool    OUTPUT_DIRECTORY [ROUNDS]   what a fault of an absent page of a pool takes
#   build.sh floors  OUTPUT_DIRECTORY            dsm_floors: what the machine itself takes
set -eu

target=${1:?library, test, application, kernels, bench, pool or floors}
output=${2:?output directory}
main=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
tests=$main/../../test/c
benchmarks=$main/../../bench/c
compiler=${CC:-cc}
flags="-std=c17 -Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes -Werror -pthread"

if ! command -v "$compiler" >/dev/null 2>&1; then
	echo "muninn: there is no C compiler called '$compiler'. Install gcc or clang with the C" \
		"library's headers (Debian, Ubuntu: apt-get install gcc libc6-dev; Fedora: dnf" \
		"install gcc glibc-devel), or set CC to the compiler's path." >&2
	exit 1
fi
if ! printf '#include <sys/socket.h>\nint main(void) { return 0; }\n' |
	"$compiler" -x c -o /dev/null - >/dev/null 2>&1; then
	echo "muninn: '$compiler' cannot build a C program: the C library's headers are missing" \
		"(Debian, Ubuntu: apt-get install libc6-dev; Fedora: dnf install glibc-devel)." >&2
	exit 1
fi
mkdir -p "$output"

# Whether $1 is there and newer than every source.
is_fresh() {
	[ -f "$1" ] && [ -z "$(find "$main" "$tests" -type f -newer "$1" 2>/dev/null)" ]
}

# Compiles the sources given after the folder $1 for objects and the flags $2, as many at a time as
# there are processors. A source may include what its folder's purpose allows, and nothing else:
#   shared <- diff <- agent, shared <- application, and the probe, which is both ends, all of them
compile() {
	objects=$1
	options=$2
	shift 2
	rm -rf "$objects"
	mkdir -p "$objects"
	# shellcheck disable=SC2016,SC2086 # the inner shell expands; the flags are words
	printf '%s\0' "$@" | xargs -0 -n 1 -P "$(getconf _NPROCESSORS_ONLN)" sh -c '
		main=$1
		objects=$2
		shift 2
		for source; do :; done
		case $(basename -- "$(dirname -- "$source")") in
		shared) folders=shared ;;
		diff) folders="shared diff" ;;
		agent) folders="shared diff agent" ;;
		application) folders="shared application" ;;
		*) folders="shared diff agent application probe" ;;
		esac
		for folder in $folders; do
			set -- "$@" "-I$main/$folder"
		done
		"$@" -c -o "$objects/$(basename -- "$source" .c).o"' \
		sh "$main" "$objects" "$compiler" $options
}

case $target in
library)
	library=$output/libdsmfault.so
	is_fresh "$library" && exit 0
	options="$flags -O2 -fPIC -fvisibility=hidden"
	compile "$output/../objects" "$options" "$main"/*/*.c
	# shellcheck disable=SC2086
	"$compiler" $options -shared -Wl,-z,defs -o "$library.new" "$output"/../objects/*.o
	mv "$library.new" "$library"
	;;
test)
	sanitizers="-fsanitize=address,undefined -fno-sanitize-recover=all"
	if ! echo 'int main(void) { return 0; }' |
		"$compiler" $sanitizers -x c -o /dev/null - >/dev/null 2>&1; then
		echo "muninn: '$compiler' has no sanitizers here; the C tests run without them" >&2
		sanitizers=
	fi
	program=$output/dsm_fault_test
	if ! is_fresh "$program"; then
		compile "$output/objects" "$flags -Og -g1 $sanitizers" "$main"/*/*.c "$tests"/*.c
		# shellcheck disable=SC2086
		"$compiler" -pthread $sanitizers -o "$program.new" "$output"/objects/*.o
		mv "$program.new" "$program"
	fi
	"$program"
	;;
application)
	program=$output/page_threads
	libraries=$(CDPATH= cd -- "${3:?library directory}" && pwd)
	is_fresh "$program" && exit 0
	# shellcheck disable=SC2086
	"$compiler" $flags -O2 -I"$main/shared" -o "$program.new" "$tests"/application/*.c \
		-L"$libraries" -Wl,-rpath,"$libraries" -ldsmfault
	mv "$program.new" "$program"
	;;
kernels)
	compile "$output/kernels-objects" "$flags -O2" "$main"/*/*.c "$tests"/*.c
	"$compiler" -pthread -o "$output/dsm_kernels_test" "$output"/kernels-objects/*.o
	"$output/dsm_kernels_test" "${3:-2000000}"
	;;
bench)
	compile "$output/bench-objects" "$flags -O2" "$main"/*/*.c "$benchmarks"/*.c
	"$compiler" -pthread -o "$output/dsm_diff_bench" "$output"/bench-objects/*.o
	"$output/dsm_diff_bench" "${3:-10}"
	;;
pool)
	compile "$output/pool-objects" "$flags -O2" "$main"/*/*.c "$benchmarks"/pool/*.c
	"$compiler" -pthread -o "$output/dsm_pool_bench" "$output"/pool-objects/*.o
	"$output/dsm_pool_bench" "${3:-600}"
	;;
floors)
	# shellcheck disable=SC2086
	"$compiler" $flags -O2 -I"$main/shared" -o "$output/dsm_floors.new" "$benchmarks"/floor/*.c
	mv "$output/dsm_floors.new" "$output/dsm_floors"
	;;
*)
	echo "usage: build.sh library|test|application|kernels|bench|pool|floors OUTPUT_DIRECTORY" >&2
	exit 2
	;;
esac
