/* Memory of a long session: 10,000 versions of a term of more than 200 nodes. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>

enum { VERSIONS = 10000 };

int main(void)
{
    char path[] = "/tmp/lathe-bench-XXXXXX", command[600];
    FILE *f = fdopen(mkstemp(path), "w");
    fputs("load tests/unit/ten.fun\nuse blackScholes\nset verbose 0\n", f);
    static const char *const below[] = {"/in/f/body", "/in/f/body/in/f/body", "/in/f/body/in/f/body/in/f/body"};
    for (int i = 0; i < VERSIONS / 4; i++) {      /* no two are equal: another chunk size each, and three more splits below it */
        fprintf(f, "goto @0\napply splitJoin(%d) at /\n", i + 2);
        for (int k = 0; k < 3; k++) fprintf(f, "apply splitJoin at %s\n", below[k]);
    }
    fputs("!grep VmHWM /proc/$PPID/status\n", f);      /* of lathe itself: its worker may be larger */
    fclose(f);
    snprintf(command, sizeof command, "%s -q --no-init -f %s", getenv("LATHE") ? getenv("LATHE") : "build/lathe", path);
    double t = bench_seconds(), kilobytes = 0;
    FILE *said = popen(command, "r");
    while (fgets(command, sizeof command, said)) sscanf(command, "VmHWM: %lf", &kilobytes);
    int code = pclose(said);
    double seconds = bench_seconds() - t;
    remove(path);
    bench_print(&(BenchLine){.bench = "versions", .device = "-", .what = "10,000 versions, peak memory", .ours = kilobytes / 1024, .unit = "MB"});
    bench_print(&(BenchLine){.bench = "versions", .device = "-", .what = "10,000 versions, whole session", .ours = seconds, .unit = "s"});
    return code != 0 || kilobytes == 0;
}
