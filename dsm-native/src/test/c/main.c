/*
 * Runs every C test, or with a number that many random pages; a failure ends the program.
 */
#include "check.h"

int main(int count, char **arguments)
{
	if (count > 1) {
		test_random_pages(strtoull(arguments[1], NULL, 10));
		return 0;
	}
	test_kernels();
	test_diff();
	test_twin();
	test_call();
	test_mailbox();
	test_attach();
	test_trap();
	test_protect();
	test_siblings();
	test_pool();
	test_batch();
	test_install();
	test_probe();
	test_quit();
	test_foreign();
	return 0;
}
