/* A peer for benchmarks: H2O's library with its own event loop. It answers "43\n" to everything.
 *
 *   h2o_peer PORT
 */
#include <arpa/inet.h>
#include <h2o.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

static h2o_globalconf_t config;
static h2o_context_t context;
static h2o_accept_ctx_t accept_context;

static int answer(h2o_handler_t *self, h2o_req_t *request)
{
    static h2o_iovec_t body = {H2O_STRLIT("43\n")};
    static h2o_generator_t generator = {NULL, NULL};
    (void)self;
    request->res.status = 200;
    request->res.reason = "OK";
    request->res.content_length = body.len;
    h2o_add_header(&request->pool, &request->res.headers, H2O_TOKEN_CONTENT_TYPE, NULL, H2O_STRLIT("text/plain"));
    h2o_start_response(request, &generator);
    h2o_send(request, &body, 1, H2O_SEND_STATE_FINAL);
    return 0;
}

static void on_accept(h2o_socket_t *listener, const char *failed)
{
    h2o_socket_t *socket = failed == NULL ? h2o_evloop_socket_accept(listener) : NULL;
    if (socket != NULL) {
        h2o_accept(&accept_context, socket);
    }
}

static int listen_on(unsigned short port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int on = 1;
    int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    if (descriptor == -1 || setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) != 0 ||
        bind(descriptor, (struct sockaddr *)&address, sizeof(address)) != 0 || listen(descriptor, SOMAXCONN) != 0) {
        perror("h2o_peer");
        exit(1);
    }
    return descriptor;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fputs("usage: h2o_peer PORT\n", stderr);
        return 2;
    }
    signal(SIGPIPE, SIG_IGN);
    h2o_config_init(&config);
    h2o_hostconf_t *host = h2o_config_register_host(&config, h2o_iovec_init(H2O_STRLIT("default")), 65535);
    h2o_pathconf_t *path = h2o_config_register_path(host, "/", 0);
    h2o_create_handler(path, sizeof(h2o_handler_t))->on_req = answer;
    h2o_context_init(&context, h2o_evloop_create(), &config);
    accept_context.ctx = &context;
    accept_context.hosts = config.hosts;
    h2o_socket_t *listener =
        h2o_evloop_socket_create(context.loop, listen_on((unsigned short)atoi(argv[1])), H2O_SOCKET_FLAG_DONT_READ);
    h2o_socket_read_start(listener, on_accept);
    while (h2o_evloop_run(context.loop, INT32_MAX) == 0) {
    }
    return 0;
}
