#pragma once

/* A client of Apache Cassandra for C and C++: the Rust crate `scylla` behind as few functions as
 * its one user, storage_cassandra, needs (docs/decisions/0025-cql-driver.md).
 *
 * Requests go in by functions that never wait. What comes of them is taken from a queue: each call
 * that answered CQL_OK gives exactly one completion, also when the session is closed or a bug stops
 * the request. A file descriptor (eventfd) is readable while the queue has something. No function
 * calls back, none throws.
 *
 * Values are bytes as the protocol has them (big-endian numbers, UTF-8); this side knows no type
 * but lengths. Everything given is copied before the call returns. Texts have a length and no
 * terminator.
 *
 * Thread-safe, except that nobody may use a session while or after it is freed, and one thread at a
 * time takes from its queue. */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cql_session cql_session;
typedef struct cql_result cql_result;

enum cql_status {
    CQL_OK = 0,
    CQL_INVALID = 1,     /* What was asked can never work: syntax, types, rights, a null pointer. */
    CQL_OVERLOADED = 2,  /* Too much in flight; nothing was done. */
    CQL_UNAVAILABLE = 3, /* Too few nodes answered. A write may have been done all the same. */
    CQL_TIMED_OUT = 4, /* No answer before the deadline. A write may have been done all the same. */
    CQL_CLOSED = 5, /* The session was closed meanwhile. A write may have been done all the same. */
    CQL_INTERNAL = 6, /* A bug of this library; the request ended. */
    CQL_LOG = 100     /* No completion: a line that the driver wants to have logged. */
};

enum cql_consistency { CQL_LOCAL_ONE = 1, CQL_LOCAL_QUORUM = 2 };

/* What a statement does, and who may be asked. None is asked of another datacenter but
 * CQL_READS_ANYWHERE, which is when the local one cannot answer. */
enum cql_use {
    CQL_WRITES = 0,
    CQL_READS = 1,
    CQL_READS_ANYWHERE = 2,
    CQL_SCANS = 3 /* A node has until the deadline, not attempt_ms. */
};

/* Lengths of a cell that is not there. Unset leaves the column as it is; null would delete it. */
enum { CQL_NULL = -1, CQL_UNSET = -2 };

struct cql_text {
    const char* data;
    size_t length;
};

struct cql_cell {
    const uint8_t* data;
    int32_t length; /* At least 0, CQL_NULL or CQL_UNSET. */
};

struct cql_config {
    struct cql_text contacts; /* ADDRESS:PORT, separated by commas: those who tell of the others. */
    struct cql_text datacenter; /* The local one. */
    struct cql_text keyspaces;  /* Whose replication is followed, by commas; need not exist yet. */
    struct cql_text user;       /* Empty: no authentication. */
    struct cql_text password;
    uint32_t connections_per_node;
    uint32_t max_in_flight; /* Requests accepted and not yet taken from the queue. */
    uint32_t attempt_ms;    /* How long one node may take before another attempt is made. */
};

/* How long a request may take, and whether a second node is asked what the first is slow to answer;
 * the first answer is taken. */
struct cql_terms {
    uint32_t deadline_ms;
    uint32_t speculate_ms;   /* So long after the first one; 0: no second one is asked. */
    uint32_t speculate_from; /* Not in the attempts before this one, of which the first is 1. */
};

struct cql_completion {
    uint64_t context; /* As given with the request. */
    int32_t status;   /* cql_status */
    uint32_t
        attempts; /* How often it was begun; the driver may have asked several nodes each time. */
    uint32_t statement;    /* The number of what was prepared. */
    uint32_t speculations; /* How often a second node was asked. */
    cql_result* result;    /* To be freed; null only if there is neither row nor text. */
};

/* One statement of a request, with the values of its markers. */
struct cql_call {
    uint32_t statement; /* Of cql_prepare. */
    uint32_t cell_count;
    const struct cql_cell* cells;
};

/* Makes a session and its queue. Costs nothing yet. */
int32_t cql_session_new(const struct cql_config* config, cql_session** session);

/* The descriptor that is readable while completions wait. Belongs to the session. */
int32_t cql_session_descriptor(const cql_session* session);

/* Finds the cluster and connects. Has to complete before anything else is asked. */
int32_t cql_connect(cql_session* session, uint32_t deadline_ms, uint64_t context);

/* Runs a statement without markers, at LOCAL_QUORUM. What is no SELECT has until the deadline at
 * one node: to change the schema in two places at once would be two changes. After a change of the
 * schema it waits until all nodes have it. */
int32_t cql_run(
    cql_session* session, struct cql_text statement, uint32_t deadline_ms, uint64_t context
);

/* Has a statement prepared; the completion says by which number it is called. `use`: cql_use.
 * Prepared statements live as long as the session. */
int32_t cql_prepare(
    cql_session* session,
    struct cql_text statement,
    int32_t consistency,
    int32_t use,
    uint32_t deadline_ms,
    uint64_t context
);

/* Whose partition a statement names: a number that stands for its first replica in the local
 * datacenter, 0 when that is not known. Writes of one owner are well sent as one batch. */
int32_t cql_owner(cql_session* session, const struct cql_call* call, uint64_t* owner);

/* Executes one statement, or several writes as an unlogged batch, which is atomic within each
 * partition. All have to be idempotent: what fails for a reason that may pass is tried again
 * until the deadline. */
int32_t cql_execute(
    cql_session* session,
    const struct cql_call* calls,
    size_t count,
    const struct cql_terms* terms,
    uint64_t context
);

/* Takes up to `capacity` completions, oldest first, and says how many. Never waits. */
size_t cql_take(cql_session* session, struct cql_completion* completions, size_t capacity);

/* Takes no more requests; those in flight complete as CQL_CLOSED. Idempotent. */
void cql_session_close(cql_session* session);

/* Closes, drops what nobody took, and frees. Null is allowed. */
void cql_session_free(cql_session* session);

/* The cells of all rows, one row behind the other; valid until the result is freed. Null when there
 * are none. */
const struct cql_cell* cql_result_cells(const cql_result* result, size_t* rows, size_t* columns);

/* Why it failed, or the line to be logged; valid until the result is freed. */
struct cql_text cql_result_text(const cql_result* result);

/* Null is allowed. */
void cql_result_free(cql_result* result);

/* The sizes of cql_config, cql_cell, cql_call, cql_terms and cql_completion, as the library was
 * built with; for a check. */
void cql_sizes(size_t sizes[5]);

#ifdef __cplusplus
}
#endif
