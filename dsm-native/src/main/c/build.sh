#!/bin/sh
# Compiles libdsmfault.so and its C tests. Needs a C compiler, nothing else.
#   build.sh library OUTPUT_DIRECTORY
#   build.sh test    OUTPUT_DIRECTORY            builds with sanitizers, and runs
#   build.sh kernels OUTPUT_DIRECTORY [PAGES]    every diff kernel on random pages, as optimized
#   build.sh bench   OUTPUT_DIRECTORY [MILLIS]   what diff kernels take, beside memcmp
#   build.sh floors  OUTPUT_DIRECTORY            dsm_floors: what the machine itself takes
set -eu

target=${1:?library, test, kernels, bench or floors}
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

case $target in
library)
	library=$output/libdsmfault.so
	is_fresh "$library" && exit 0
	# shellcheck disable=SC2086 # the flags are words
	"$compiler" $flags -O2 -fPIC -fvisibility=hidden -shared -Wl,-z,defs \
		-o "$library.new" "$main"/*.c
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
		# shellcheck disable=SC2086
		"$compiler" $flags -O1 -g $sanitizers -I"$main" -o "$program.new" \
			"$main"/*.c "$tests"/*.c
		mv "$program.new" "$program"
	fi
	"$program"
	;;
kernels)
	# shellcheck disable=SC2086
	"$compiler" $flags -O2 -I"$main" -o "$output/dsm_kernels_test" "$main"/*.c "$tests"/*.c
	"$output/dsm_kernels_test" "${3:-2000000}"
	;;
bench)
	# shellcheck disable=SC2086
	"$compiler" $flags -O2 -I"$main" -o "$output/dsm_diff_bench" "$main"/*.c "$benchmarks"/*.c
	"$output/dsm_diff_bench" "${3:-10}"
	;;
floors)
	# shellcheck disable=SC2086
	"$compiler" $flags -O2 -I"$main" -o "$output/dsm_floors.new" "$benchmarks"/floor/*.c
	mv "$output/dsm_floors.new" "$output/dsm_floors"
	;;
*)
	echo "usage: build.sh library|test|kernels|bench|floors OUTPUT_DIRECTORY" >&2
	exit 2
	;;
esac
