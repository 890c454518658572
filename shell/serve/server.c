/* server: the HTTP side of `serve`: who may ask, and what is answered. */
#include "server.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

/* WATCHED_MS: a page asks several times a second (live.js); one that is out of sight asks once in a while. */
enum { TOKEN_BYTES = 16, TOKEN = 2 * TOKEN_BYTES, CONNECTIONS = 32, REQUEST_MEMORY = 16 << 10, TIMEOUT_S = 5, WATCHED_MS = 4000 };

/* ---- HTTP ---- */

/* Its library is loaded where something is served: with all that it needs itself it takes longer than the rest of a start. */
#define HTTP_FUNCTIONS(F) \
    F(start_daemon) F(stop_daemon) F(lookup_connection_value) F(add_response_header) F(queue_response) F(destroy_response) \
    F(create_response_from_buffer)
static struct {
#define FUNCTION(name) __typeof__(&MHD_##name) name;
    HTTP_FUNCTIONS(FUNCTION)
#undef FUNCTION
} http;

/* NULL; or why there is none. */
static const char *http_load(void)
{
    void *library = dlopen(HTTP_LIBRARY, RTLD_NOW), *f = library;
#define FUNCTION(name) http.name = f ? (__typeof__(&MHD_##name))(f = dlsym(library, "MHD_" #name)) : NULL;
    HTTP_FUNCTIONS(FUNCTION)
#undef FUNCTION
    return f ? NULL : dlerror();
}

/* ---- the server ---- */

struct Server {
    struct MHD_Daemon *daemon;
    int listening, calls, port;
    char token[TOKEN + 1], url[96], hosts[2][32];
    pthread_mutex_t lock;                /* of all below */
    VEC(Served) now;
    bool stale;
    char wanted[WANTED_MAX];
    int64_t asked;                       /* clock_ms; 0: never */
};

typedef enum MHD_Result Answer;

static const char *header(struct MHD_Connection *c, const char *name) { return http.lookup_connection_value(c, MHD_HEADER_KIND, name); }

static Answer answer(struct MHD_Connection *c, unsigned status, const char *type, const char *text, size_t n, bool ours)
{
    const char *const headers[][2] = {
        {"Content-Type", type},
        {"Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
                                    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
        {"Referrer-Policy", "no-referrer"}, {"X-Content-Type-Options", "nosniff"}, {"X-Frame-Options", "DENY"},
        {"Cross-Origin-Resource-Policy", "same-origin"}, {"Cross-Origin-Opener-Policy", "same-origin"},
        {"Cache-Control", "no-store"}, {"Connection", "close"},
    };
    struct MHD_Response *r = http.create_response_from_buffer(n, (void *)text, ours ? MHD_RESPMEM_MUST_FREE : MHD_RESPMEM_PERSISTENT);
    if (!r) return MHD_NO;
    for (int i = 0; i < COUNT(headers); i++) http.add_response_header(r, headers[i][0], headers[i][1]);
    if (status == MHD_HTTP_METHOD_NOT_ALLOWED) http.add_response_header(r, "Allow", "GET, HEAD");
    Answer done = http.queue_response(c, status, r);
    http.destroy_response(r);
    return done;
}

static Answer refuse(struct MHD_Connection *c, unsigned status, const char *why)
{
    return answer(c, status, "text/plain; charset=utf-8", why, strlen(why), false);
}

/* What stands behind "/TOKEN/"; NULL: it is another token. The time it takes does not tell how much of one is right. */
static const char *behind_token(const Server *s, const char *path)
{
    unsigned differs = 0;
    const char *pattern = s->url + strlen("http://") + strlen(s->hosts[0]);     /* "/TOKEN/" */
    if (strlen(path) < TOKEN + 2) return NULL;
    for (int i = 0; i < TOKEN + 2; i++) differs |= (unsigned char)path[i] ^ (unsigned char)pattern[i];
    return differs ? NULL : path + TOKEN + 2;
}

/* A copy of what has that name; false: nothing has, which is noted as wanted. */
static bool look_up(Server *s, const char *name, const char **type, Buf *out)
{
    pthread_mutex_lock(&s->lock);
    const Served *item = s->now.v, *end = item + s->now.n;
    while (item < end && strcmp(item->name, name)) item++;
    bool found = item < end, noted = !found && strlen(name) < WANTED_MAX;
    s->asked = clock_ms();
    if (noted) strcpy(s->wanted, name);
    if (noted || s->stale) eventfd_write(s->calls, 1);
    if (found) *type = item->type;
    for (int i = 0; found && i < PIECES_MAX && item->pieces[i]; i++) buf_puts(out, item->pieces[i]);
    pthread_mutex_unlock(&s->lock);
    return found;
}

static Answer on_request(void *server, struct MHD_Connection *c, const char *path, const char *method, const char *version,
                         const char *upload, size_t *upload_size, void **request)
{
    Server *s = server;
    (void)version, (void)upload, (void)upload_size;
    /* Only pages that came from here, or an address that was typed, under the name that stands in it: what another
     * page, or a name that was bent to this machine, sends is not answered. */
    const char *host = header(c, "Host"), *origin = header(c, "Origin"), *site = header(c, "Sec-Fetch-Site");
    bool known = false, from_here = !origin;
    for (int i = 0; i < COUNT(s->hosts); i++) {
        known = known || (host && !strcmp(host, s->hosts[i]));
        from_here = from_here || (!strncmp(origin, "http://", 7) && !strcmp(origin + 7, s->hosts[i]));
    }
    if (!(known && from_here && (!site || !strcmp(site, "same-origin") || !strcmp(site, "none"))))
        return refuse(c, MHD_HTTP_FORBIDDEN, "not for this page\n");
    if (strcmp(method, MHD_HTTP_METHOD_GET) && strcmp(method, MHD_HTTP_METHOD_HEAD))
        return refuse(c, MHD_HTTP_METHOD_NOT_ALLOWED, "there is only something to read here\n");
    if (!*request) return *request = s, MHD_YES;             /* its headers; it is answered when it is whole */
    Buf text = {0};
    const char *name = behind_token(s, path), *type;
    if (!name) return refuse(c, MHD_HTTP_NOT_FOUND, "nothing is here\n");
    if (!look_up(s, name, &type, &text)) return refuse(c, MHD_HTTP_NOT_FOUND, "there is no such thing, or not yet\n");
    return answer(c, MHD_HTTP_OK, type, text.data, text.len, true);
}

/* ---- begin and end ---- */

/* On the loopback address; -1: errno says why not. Programs that are started do not get it. */
static int listen_at(int port, int *got)
{
    int on = 1, s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof at;
    if (s < 0) return -1;
    setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(s, (struct sockaddr *)&at, size) || listen(s, CONNECTIONS) || getsockname(s, (struct sockaddr *)&at, &size)) {
        int error = errno;
        close(s);
        errno = error;
        return -1;
    }
    *got = ntohs(at.sin_port);
    return s;
}

static bool make_token(char *out)
{
    unsigned char bytes[TOKEN_BYTES];
    if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes) return false;
    for (int i = 0; i < TOKEN_BYTES; i++) {
        *out++ = "0123456789abcdef"[bytes[i] >> 4];
        *out++ = "0123456789abcdef"[bytes[i] & 15];
    }
    *out = 0;
    return true;
}

/* Its thread takes no signals but faults of its own: handlers run in ours. */
static struct MHD_Daemon *start_daemon(Server *s)
{
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    sigset_t all, before;
    sigfillset(&all);
    for (int i = 0; i < COUNT(faults); i++) sigdelset(&all, faults[i]);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    struct MHD_Daemon *d = http.start_daemon(
        MHD_USE_AUTO_INTERNAL_THREAD, 0, NULL, NULL, on_request, s, MHD_OPTION_LISTEN_SOCKET, s->listening,
        MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)TIMEOUT_S,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)REQUEST_MEMORY, MHD_OPTION_END);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return d;
}

static void release(Server *s)
{
    free(s->now.v);
    pthread_mutex_destroy(&s->lock);
    close(s->calls);
    free(s);
}

Server *server_start(int port, Diag *diag)
{
    Server *s = mem_alloc(sizeof *s);
    static const char *const names[] = {"127.0.0.1", "localhost"};
    pthread_mutex_init(&s->lock, NULL);
    s->calls = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    s->listening = make_token(s->token) ? listen_at(port, &s->port) : -1;
    const char *why = s->listening < 0 ? strerror(errno) : http_load();
    for (int i = 0; i < COUNT(names); i++) snprintf(s->hosts[i], sizeof s->hosts[i], "%s:%d", names[i], s->port);
    snprintf(s->url, sizeof s->url, "http://%s/%s/", s->hosts[0], s->token);
    if (!why && (s->daemon = start_daemon(s))) return s;
    diag_error(diag, E05, "nothing can be served at port %d of 127.0.0.1: %s", port, why ? why : "no thread");
    if (s->listening >= 0) close(s->listening);
    return release(s), NULL;
}

void server_stop(Server *s)
{
    http.stop_daemon(s->daemon);          /* closes the socket too */
    release(s);
}

void server_forget(Server *s)
{
    close(s->listening);
    close(s->calls);
}

const char *server_url(const Server *s) { return s->url; }
int server_port(const Server *s) { return s->port; }
int server_calls(const Server *s) { return s->calls; }

void server_publish(Server *s, const Served *all, int n)
{
    pthread_mutex_lock(&s->lock);
    s->now.n = 0;
    for (int i = 0; i < n; i++) vec_push(&s->now, all[i]);
    s->stale = false;
    pthread_mutex_unlock(&s->lock);
}

bool server_heard(Server *s, char name[WANTED_MAX])
{
    eventfd_t count;
    eventfd_read(s->calls, &count);
    pthread_mutex_lock(&s->lock);
    strcpy(name, s->wanted);
    *s->wanted = 0;
    pthread_mutex_unlock(&s->lock);
    return *name != 0;
}

void server_stale(Server *s)
{
    pthread_mutex_lock(&s->lock);
    s->stale = true;
    pthread_mutex_unlock(&s->lock);
}

bool server_is_watched(Server *s)
{
    pthread_mutex_lock(&s->lock);
    bool watched = s->asked && clock_ms() - s->asked < WATCHED_MS;
    pthread_mutex_unlock(&s->lock);
    return watched;
}
