/* protocol: frames of JSON and blobs over a socket, or over a pipe for each direction. */
#include "protocol.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

void frame_free(Frame *f)
{
    json_decref(f->head);
    for (int i = 0; i < f->blob_count; i++) free(f->blobs[i].data);
    free(f->blobs);
    *f = (Frame){0};
}

/* ---- sending ---- */

static void put_word(uint8_t *p, uint32_t v)
{
    for (int i = 0; i < 4; i++) p[i] = (uint8_t)(v >> (8 * i));
}

static uint32_t get_word(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* Drop the first n sent bytes from the parts; *count shrinks as parts are used up. */
static void advance(struct iovec **parts, int *count, size_t n)
{
    while (*count && n >= (*parts)->iov_len) {
        n -= (*parts)->iov_len;
        (*parts)++;
        (*count)--;
    }
    if (!*count) return;
    (*parts)->iov_base = (char *)(*parts)->iov_base + n;
    (*parts)->iov_len -= n;
}

static bool send_all(int fd, struct iovec *parts, int count)
{
    advance(&parts, &count, 0);
    while (count) {
        struct msghdr m = {.msg_iov = parts, .msg_iovlen = (size_t)count};
        ssize_t n = sendmsg(fd, &m, MSG_NOSIGNAL);
        if (n < 0 && errno == ENOTSOCK) n = writev(fd, parts, count);       /* of a worker, which ignores SIGPIPE */
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return false;
        advance(&parts, &count, (size_t)n);
    }
    return true;
}

bool frame_send(int fd, json_t *head, const Blob *blobs, int blob_count)
{
    /* The total payload of the blobs, whose lengths go into head; -1 when there are too many bytes or blobs. */
    int64_t total = 0;
    json_t *sizes = json_array();
    for (int i = 0; i < blob_count && total >= 0; i++) {
        json_array_append_new(sizes, json_integer((json_int_t)blobs[i].bytes));
        total = blobs[i].bytes > FRAME_MAX ? -1 : total + (int64_t)blobs[i].bytes;
        if (total > FRAME_MAX) total = -1;
    }
    json_object_set_new(head, "blobs", sizes);
    int64_t payload = blob_count > FRAME_BLOBS_MAX ? -1 : total;
    char *text = payload < 0 ? NULL : json_dumps(head, JSON_COMPACT);
    size_t len = text ? strlen(text) : 0;
    if (!text || len > FRAME_HEAD_MAX || payload + (int64_t)len + 4 > FRAME_MAX) {
        free(text);
        errno = EMSGSIZE;
        return false;
    }
    uint8_t words[8];
    put_word(words, (uint32_t)(4 + len + (size_t)payload));
    put_word(words + 4, (uint32_t)len);
    struct iovec parts[FRAME_BLOBS_MAX + 2] = {{words, sizeof words}, {text, len}};
    for (int i = 0; i < blob_count; i++) parts[i + 2] = (struct iovec){blobs[i].data, blobs[i].bytes};
    bool ok = send_all(fd, parts, blob_count + 2);
    int kept = errno;
    free(text);
    errno = kept;
    return ok;
}

/* ---- receiving ---- */

typedef struct Input {
    int fd;
    int64_t until;      /* clock_ms; negative: for ever */
} Input;

static FrameStatus wait_readable(const Input *in)
{
    for (;;) {
        int64_t left = in->until < 0 ? -1 : in->until - clock_ms();
        if (in->until >= 0 && left < 0) left = 0;
        struct pollfd p = {.fd = in->fd, .events = POLLIN};
        int n = poll(&p, 1, left > 1000000 ? 1000000 : (int)left);
        if (n > 0) return FRAME_OK;
        if (n < 0 && errno != EINTR) return FRAME_CLOSED;
        if (in->until >= 0 && clock_ms() >= in->until) return FRAME_TIMEOUT;
    }
}

/* What is there of n bytes; a pipe is waited for. */
static ssize_t receive_some(const Input *in, void *to, size_t n)
{
    ssize_t got = recv(in->fd, to, n, MSG_DONTWAIT);
    if (got >= 0 || errno != ENOTSOCK) return got;
    if (wait_readable(in) == FRAME_OK) return read(in->fd, to, n);
    return errno = EAGAIN, -1;
}

static FrameStatus receive_all(const Input *in, void *to, size_t n)
{
    char *p = to;
    while (n) {
        ssize_t got = receive_some(in, p, n);
        if (got > 0) {
            p += got;
            n -= (size_t)got;
            continue;
        }
        if (got == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)) return FRAME_CLOSED;
        FrameStatus s = wait_readable(in);
        if (s != FRAME_OK) return s;
    }
    return FRAME_OK;
}

static FrameStatus receive_head(const Input *in, uint32_t len, json_t **head)
{
    char *text = malloc((size_t)len + 1);
    if (!text) return FRAME_BAD;
    FrameStatus s = receive_all(in, text, len);
    *head = s == FRAME_OK ? json_loadb(text, len, 0, NULL) : NULL;
    free(text);
    return s != FRAME_OK ? s : json_is_object(*head) ? FRAME_OK : FRAME_BAD;
}

/* Whether "blobs" lists lengths that add up to what is left of the frame. */
static bool blobs_fit(const json_t *sizes, int64_t left)
{
    if (!json_is_array(sizes) || json_array_size(sizes) > FRAME_BLOBS_MAX) return false;
    for (size_t i = 0; i < json_array_size(sizes); i++) {
        const json_t *size = json_array_get(sizes, i);
        json_int_t bytes = json_integer_value(size);
        if (!json_is_integer(size) || bytes < 0 || bytes > left) return false;
        left -= bytes;
    }
    return left == 0;
}

static FrameStatus receive_blobs(const Input *in, int64_t left, Frame *f)
{
    const json_t *sizes = json_object_get(f->head, "blobs");
    if (!blobs_fit(sizes, left)) return FRAME_BAD;
    int n = (int)json_array_size(sizes);
    f->blobs = mem_alloc(sizeof *f->blobs * (size_t)n);
    for (int i = 0; i < n; i++) {
        f->blob_count = i + 1;
        Blob *b = &f->blobs[i];
        size_t bytes = (size_t)json_integer_value(json_array_get(sizes, (size_t)i));
        b->data = malloc(bytes ? bytes : 1);
        b->bytes = bytes;
        FrameStatus s = b->data ? receive_all(in, b->data, bytes) : FRAME_BAD;
        if (s != FRAME_OK) return s;
    }
    return FRAME_OK;
}

static FrameStatus receive_frame(const Input *in, Frame *out)
{
    uint8_t words[8];
    FrameStatus s = receive_all(in, words, sizeof words);
    if (s != FRAME_OK) return s;
    uint32_t total = get_word(words), len = get_word(words + 4);
    if (total > FRAME_MAX || total < 4 || len > total - 4 || len > FRAME_HEAD_MAX) return FRAME_BAD;
    s = receive_head(in, len, &out->head);
    return s == FRAME_OK ? receive_blobs(in, (int64_t)total - 4 - len, out) : s;
}

FrameStatus frame_receive(int fd, int timeout_ms, Frame *out)
{
    Input in = {fd, timeout_ms < 0 ? -1 : clock_ms() + timeout_ms};
    *out = (Frame){0};
    FrameStatus s = receive_frame(&in, out);
    if (s != FRAME_OK) frame_free(out);
    return s;
}
