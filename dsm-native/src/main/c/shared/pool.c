/* Creates and maps the memory that all nodes of a run address. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "memory.h"
#include "pool.h"

#define HEADER_BYTES UINT64_C(4096)
#define PAGES_MAX (UINT64_C(1) << 36)

static uint64_t whole_pages(uint64_t bytes, uint64_t page_bytes)
{
	return (bytes + page_bytes - 1) / page_bytes * page_bytes;
}

/* Size of the header and the words. */
static uint64_t words_bytes(uint64_t pages, uint32_t nodes)
{
	return whole_pages(HEADER_BYTES + dsm_map_words(pages, nodes) * sizeof(uint64_t),
			   (uint64_t)dsm_page_bytes());
}

static uint64_t homes_bytes(uint64_t pages)
{
	return whole_pages(pages, (uint64_t)dsm_page_bytes());
}

static uint64_t file_bytes(const struct dsm_pool_header *header)
{
	return words_bytes(header->pages, header->nodes) + homes_bytes(header->pages) +
	       header->pages * header->page_bytes * header->nodes;
}

__attribute__((format(printf, 2, 3))) static int refuse(struct dsm_verdict *verdict,
							const char *format, ...)
{
	va_list values;

	va_start(values, format);
	vsnprintf(verdict->text, sizeof(verdict->text), format, values);
	va_end(values);
	verdict->status = EINVAL;
	return -EINVAL;
}

/* Reads the header by a system call: the file may be empty, or anything else. */
static int read_header(int fd, struct dsm_pool_header *header, struct dsm_verdict *verdict)
{
	ssize_t bytes = pread(fd, header, sizeof(*header), 0);

	if (bytes < 0)
		return -errno;
	if (bytes != (ssize_t)sizeof(*header) || header->magic != DSM_POOL_MAGIC)
		return refuse(verdict, "this is not a pool");
	if (header->version != DSM_POOL_VERSION)
		return refuse(verdict, "the pool has version %u, not %u", header->version,
			      DSM_POOL_VERSION);
	if (header->page_bytes != (uint32_t)dsm_page_bytes())
		return refuse(verdict, "the pool has pages of %u bytes, this machine of %d",
			      header->page_bytes, dsm_page_bytes());
	if (header->pages == 0 || header->pages > PAGES_MAX || header->nodes == 0 ||
	    header->nodes > DSM_MAP_NODES_MAX)
		return refuse(verdict, "a pool of %llu pages and %u nodes",
			      (unsigned long long)header->pages, header->nodes);
	return 0;
}

static int check_use(const struct dsm_pool_header *header, uint64_t run, uint64_t pages,
		     int32_t node, struct dsm_verdict *verdict)
{
	if (run != 0 && header->run != run)
		return refuse(verdict, "the pool belongs to run %llx, not to run %llx",
			      (unsigned long long)header->run, (unsigned long long)run);
	if (header->pages < pages)
		return refuse(verdict, "the pool has %llu pages, the regions have %llu",
			      (unsigned long long)header->pages, (unsigned long long)pages);
	if (node < 0 || (uint32_t)node >= header->nodes)
		return refuse(verdict, "the pool has %u nodes, and none is node %d", header->nodes,
			      node);
	return 0;
}

/* Without this seal the file could shrink, and its users would die of SIGBUS. */
static int check_file(int fd, const struct dsm_pool_header *header, struct dsm_verdict *verdict)
{
	uint64_t bytes = file_bytes(header);
	int seals = fcntl(fd, F_GET_SEALS);
	struct stat status;

	if (fstat(fd, &status) < 0 || (uint64_t)status.st_size < bytes)
		return refuse(verdict, "the pool's file is smaller than %llu bytes",
			      (unsigned long long)bytes);
	if (seals < 0 || (seals & F_SEAL_SHRINK) == 0)
		return refuse(verdict, "the pool's file is not sealed");
	return 0;
}

static int map_part(int fd, uint64_t offset, uint64_t bytes, int access, uint8_t **address)
{
	static const int advice[] = { MADV_DONTFORK, MADV_DONTDUMP, MADV_NOHUGEPAGE };
	void *mapped = mmap(NULL, bytes, access, MAP_SHARED | MAP_NORESERVE, fd, (off_t)offset);

	if (mapped == MAP_FAILED)
		return -errno;
	for (size_t i = 0; i < sizeof(advice) / sizeof(advice[0]); i++)
		(void)madvise(mapped, bytes, advice[i]); /* saves memory; not needed for more */
	*address = mapped;
	return 0;
}

static int map_file(int fd, const struct dsm_pool_header *header, int writes,
		    struct dsm_pool **pool)
{
	int access = writes ? PROT_READ | PROT_WRITE : PROT_READ;
	struct dsm_pool *p = calloc(1, sizeof(*p));
	int ret;

	if (p == NULL)
		return -ENOMEM;
	p->words_bytes = words_bytes(header->pages, header->nodes);
	p->homes_bytes = homes_bytes(header->pages);
	p->node_bytes = header->pages * header->page_bytes;
	p->page_bytes = header->page_bytes;
	p->announces = header->announces;
	p->fd = fd;
	ret = map_part(fd, 0, p->words_bytes, PROT_READ | PROT_WRITE, &p->words);
	if (ret == 0)
		ret = map_part(fd, p->words_bytes, file_bytes(header) - p->words_bytes, access,
			       &p->homes);
	if (ret < 0) {
		if (p->words != NULL)
			munmap(p->words, p->words_bytes);
		free(p);
		return ret;
	}
	p->memory = p->homes + p->homes_bytes;
	dsm_map_shape(&p->map, (uint64_t *)(void *)(p->words + HEADER_BYTES), header->pages,
		      header->nodes);
	p->map.lists_at_transition = header->lists_at_transition;
	p->map.notices_max = header->notices_max;
	*pool = p;
	return 0;
}

int dsm_pool_map(int fd, uint64_t run, uint64_t pages, int32_t node, int writes,
		 struct dsm_verdict *verdict, struct dsm_pool **pool)
{
	struct dsm_pool_header header;
	int ret;

	memset(verdict, 0, sizeof(*verdict));
	ret = read_header(fd, &header, verdict);
	if (ret == 0)
		ret = check_use(&header, run, pages, node, verdict);
	if (ret == 0)
		ret = check_file(fd, &header, verdict);
	return ret < 0 ? ret : map_file(fd, &header, writes, pool);
}

/*
 * Creates the pool of a run: sparse, all words and memory zero, all homes node 0. `run`: any number but 0.
 * `pages`: machine pages of the regions. The rules are those of io.muninn.pool.PoolRules that
 * traps need. `announces`: the first store of a node to a page that it has entered publishes
 * the page, at its fault.
 *
 * Returns 0; -EINVAL for numbers out of range; -ENOMEM; -EFBIG if the size of files is limited
 * (ulimit -f); or another -errno.
 */
int32_t dsm_pool_create(uint64_t run, uint64_t pages, int32_t nodes, int32_t lists_at_transition,
			int32_t notices_max, int32_t announces, struct dsm_pool **pool)
{
	struct dsm_pool_header header = {
		.magic = DSM_POOL_MAGIC,
		.run = run,
		.pages = pages,
		.version = DSM_POOL_VERSION,
		.page_bytes = (uint32_t)dsm_page_bytes(),
		.nodes = (uint32_t)nodes,
		.lists_at_transition = lists_at_transition,
		.notices_max = notices_max,
		.announces = announces,
	};
	int ret;
	int fd;

	if (run == 0 || pages == 0 || pages > PAGES_MAX || nodes < 1 ||
	    nodes > DSM_MAP_NODES_MAX || notices_max < 0)
		return -EINVAL;
	fd = dsm_memory_open("muninn-pool", file_bytes(&header));
	if (fd < 0)
		return fd;
	ret = map_file(fd, &header, 1, pool);
	if (ret < 0) {
		close(fd);
		return ret;
	}
	memcpy((*pool)->words, &header, sizeof(header));
	return 0;
}

/*
 * Maps the pool of a run from a copy of its descriptor, in a process other than its creator.
 *
 * Returns 0; -EINVAL with the reason in `verdict` for a file that is not the pool of this run,
 * has fewer pages or does not have this node; -ENOMEM; or another -errno.
 */
int32_t dsm_pool_open(int32_t fd, uint64_t run, uint64_t pages, int32_t node,
		      struct dsm_pool **pool, struct dsm_verdict *verdict)
{
	int own = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	int ret;

	memset(verdict, 0, sizeof(*verdict));
	if (own < 0)
		return -errno;
	ret = dsm_pool_map(own, run, pages, node, 1, verdict, pool);
	if (ret < 0)
		close(own);
	return ret;
}

void dsm_pool_close(struct dsm_pool *pool)
{
	munmap(pool->words, pool->words_bytes);
	munmap(pool->homes, pool->homes_bytes + pool->node_bytes * pool->map.nodes);
	close(pool->fd);
	free(pool);
}

/* The descriptor, owned by the pool. */
int32_t dsm_pool_fd(const struct dsm_pool *pool)
{
	return pool->fd;
}

/* Address of the words of the map, which are coherent. */
uint64_t dsm_pool_words(const struct dsm_pool *pool)
{
	return (uint64_t)(uintptr_t)pool->map.words;
}

/* Size of the words, without a header. */
uint64_t dsm_pool_words_bytes(const struct dsm_pool *pool)
{
	return dsm_map_words(pool->map.pages, pool->map.nodes) * sizeof(uint64_t);
}

int32_t dsm_pool_nodes(const struct dsm_pool *pool)
{
	return (int32_t)pool->map.nodes;
}

/* Address of the memory of all nodes, one after the other; it need not be coherent: see pool.h. */
uint64_t dsm_pool_memory(const struct dsm_pool *pool)
{
	return (uint64_t)(uintptr_t)pool->memory;
}

/* Size of the memory of one node. */
uint64_t dsm_pool_node_bytes(const struct dsm_pool *pool)
{
	return pool->node_bytes;
}

/*
 * Makes a node the home of pages that no node has accessed yet. Returns 0, or -EINVAL for
 * pages or a node that the pool does not have.
 */
int32_t dsm_pool_set_home(const struct dsm_pool *pool, uint64_t first, uint64_t count, int32_t node)
{
	if (node < 0 || (uint32_t)node >= pool->map.nodes || first > pool->map.pages ||
	    count > pool->map.pages - first)
		return -EINVAL;
	memset(pool->homes + first, node, count);
	return 0;
}

static int has_page(const struct dsm_pool *pool, int32_t node, uint64_t page)
{
	return node >= 0 && (uint32_t)node < pool->map.nodes && page < pool->map.pages;
}

/* Calls dsm_pool_enter_page(). Returns 1 for an unsafe page, 0, or -EINVAL. */
int32_t dsm_pool_enter(const struct dsm_pool *pool, int32_t node, uint64_t page)
{
	return has_page(pool, node, page) ?
		       dsm_pool_enter_page(pool, node, page * pool->page_bytes) :
		       -EINVAL;
}

/* Calls dsm_map_publish(). Returns 1 if the page has become unsafe, 0, or -EINVAL. */
int32_t dsm_pool_publish(const struct dsm_pool *pool, int32_t node, uint64_t page)
{
	return has_page(pool, node, page) ? dsm_map_publish(&pool->map, (uint32_t)node, page) :
					    -EINVAL;
}
