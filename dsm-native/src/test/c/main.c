/* Runs every C test; the first that fails ends the program. */
#include "check.h"

int main(void)
{
	test_diff();
	test_twin();
	test_call();
	test_attach();
	return 0;
}
