/* device: device and run: choosing a device, and the report of a run. */
#include "commands.h"
#include "show.h"
#include "trust.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A measured figure; - under `set times off`. */
static const char *figure(Shell *sh, const char *format, double v)
{
    return show_times(sh) ? arena_printf(sh->scratch, format, v) : "-";
}

/* What is known of the device that kernels are made for, as target_read reads it; and as an object. */
static json_t *show_record(Shell *sh)
{
    const DeviceInfo *info = shell_run_device(sh);
    const Target *t = info ? info->target : target_of_kind(true);
    static const char *const sources[] = {"OpenCL", "timed", "fitted", "known"};
    json_t *o = json_object();
    print(sh, "# %s\nkind = %s\n", t->name, t->kind == TARGET_GPU ? "gpu" : "cpu");
    for (int i = 0; i < TARGET_FIELDS; i++) {
        const TargetFieldInfo *f = target_field((TargetField)i);
        if (!target_has((TargetField)i, t->kind)) continue;
        const char *line = arena_printf(sh->scratch, "%s = %.10g", f->name, t->v[i]);
        print(sh, "%-26s # %-6s %s%s%s\n", line, sources[f->source], f->help, *f->unit ? ", in " : "", f->unit);
        json_object_set_new(o, f->name, json_real(t->v[i]));
    }
    return o;
}

/* Numbers of the record that came from that source and are others now. */
static void show_changes(Shell *sh, const Target *was, const Target *now, TargetSource source)
{
    for (int i = 0; i < TARGET_FIELDS; i++) {
        const TargetFieldInfo *f = target_field((TargetField)i);
        if (f->source != source || !target_has((TargetField)i, now->kind) || now->v[i] == was->v[i]) continue;
        print(sh, "  %-14s %10s  was %.4g   %s%s%s\n", f->name, figure(sh, "%.4g", now->v[i]), was->v[i], f->help, *f->unit ? ", in " : "", f->unit);
    }
}

/* From now on the record of that device. */
static bool keep_record(Shell *sh, const DeviceInfo *info, const Target *now)
{
    char *file = NULL;
    if (sh->restricted) devices_set_records(shell_devices(sh), NULL);
    else free(shell_state_path("targets/", true));
    bool ok = devices_keep_record(shell_devices(sh), info, now, &file, diag(sh));
    if (ok) print(sh, file ? "kept in %s\n" : "not kept: results are in memory\n", file);
    free(file);
    device_close(sh->device);
    sh->device = NULL;                   /* opened again with its record */
    free((char *)sh->device_wanted);
    sh->device_wanted = strdup(info->id);
    return ok;
}

/* What OpenCL tells of the device and what kernels take that are timed on it: into its record, which is kept. */
static bool measure(Shell *sh)
{
    Device *d = shell_device(sh);
    if (!d) return false;
    DeviceInfo info = device_info_copy(sh->scratch, device_info(d));
    Target now = *info.target;
    if (info.is_checker) return shell_error(sh, E60, "%s simulates a device: what it takes says nothing", info.id);
    if (!device_measure(d, &now, diag(sh))) return false;
    show_changes(sh, info.target, &now, TARGET_TIMED);
    return keep_record(sh, &info, &now);
}

/* {cpu: [{name part?} ...], gpu: ...}: the numbers that are fitted. */
static json_t *fitted_fields(void)
{
    json_t *all = json_of("{cpu:[] gpu:[]}");
    for (int i = 0; i < TARGET_FIELDS; i++) {
        const TargetFieldInfo *f = target_field((TargetField)i);
        if (f->source != TARGET_FITTED) continue;
        for (int gpu = 0; gpu < 2; gpu++)
            if (target_has((TargetField)i, gpu ? TARGET_GPU : TARGET_CPU))
                json_add(json_object_get(all, gpu ? "gpu" : "cpu"), "{name:s part:b}", f->name, !*f->unit);
    }
    return all;
}

/* What was measured on the device, or is in a recording: into those numbers of its record that are fitted, which is kept where `to` says, else as the
 * device's own; of a recording alone it is shown. */
static bool fit(Shell *sh, const char *from, const char *to)
{
    Device *d = from ? NULL : shell_device(sh);
    Strategies *s = from || d ? shell_strategies(sh) : NULL;
    if (!s) return false;
    DeviceInfo info = {0};
    if (d) info = device_info_copy(sh->scratch, device_info(d));
    const char *text = from ? record_file(sh, shell_path(sh, from)) : record_text(sh, shell_results(sh), arena_printf(sh->scratch, "device=%s", info.id));
    if (!text) return false;
    json_auto_t *spec = json_of("{fields:o recorded:b}", fitted_fields(), from != NULL), *told = NULL;
    if (d) json_object_set_new(spec, "kind", json_string(info.target->kind == TARGET_GPU ? "gpu" : "cpu"));
    if (json_object_set_new(spec, "text", json_string(text))) return shell_error(sh, E03, "%s is no UTF-8 text", from ? from : "what was measured");
    if (!strategies_command(s, "fit", spec, &sh->out, &told)) return false;
    bool gpu = !strcmp(json_string_value(json_object_get(told, "kind")), "gpu");
    const DeviceInfo *here = shell_run_device(sh);
    const Target *was = d ? info.target : here && here->is_gpu == gpu ? here->target : target_of_kind(gpu);
    Target now = *was;
    const char *name;
    json_t *value;
    json_object_foreach(json_object_get(told, "values"), name, value) now.v[target_field_named(name)] = json_number_value(value);
    show_changes(sh, was, &now, TARGET_FITTED);
    if (to) {
        LOCAL(buf_free) Buf b = {0};
        target_write(&now, &b);
        if (!results_output(sh, shell_path(sh, to), b.data, b.len)) return false;
        print(sh, "kept in %s        set target %s\n", to, to);
    } else if (d && json_object_size(json_object_get(told, "values")) && !keep_record(sh, &info, &now)) return false;
    else if (!d) print(sh, "not kept: -o FILE keeps it, for set target FILE\n");
    return shell_report(sh, "{fit:o}", json_incref(told));
}

/* There is no such device, but a record: kernels are made for it. */
static bool take_record(Shell *sh, const char *named)
{
    const char *record = !strcmp(named, "gpu") || !strcmp(named, "cpu") ? target_of_kind(*named == 'g')->name : named;
    if (!target_named(record)) return false;
    diag_clear(diag(sh));
    if (!session_set(sh->session, "target", record) || !shell_take_target(sh)) return false;
    print(sh, "%s    a record: kernels are chosen and made for it; no such device is here to run them\n", record);
    return true;
}

bool cmd_device(Shell *sh, Args *a)
{
    const char *named = arg(a, 0);
    bool fits = arg_flag(a, "fit") != NULL;
    if (!arg_limit(sh, a, 1)) return false;
    if (!fits && (arg_flag(a, "from") || arg_flag(a, "o"))) return arg_error(sh, a, "--from and -o are for --fit");
    if (named) {
        const DeviceInfo *info = devices_find(shell_devices(sh), named, diag(sh));
        if (!info) return take_record(sh, named);
        device_close(sh->device);
        sh->device = device_open(info);
        shell_watch(sh, sh->device);
        free((char *)sh->device_wanted);
        sh->device_wanted = strdup(info->id);
        shell_limit_to(sh, info);
        if (!sh->quiet) print(sh, "%s    %s\n", info->id, info->name);
    }
    if (arg_flag(a, "measure") && !measure(sh)) return false;
    if (fits) return fit(sh, arg_flag(a, "from"), arg_flag(a, "o"));
    json_t *record = arg_flag(a, "v") ? show_record(sh) : NULL;
    const DeviceInfo *list, *now = sh->device ? device_info(sh->device) : NULL;
    int n = devices_list(shell_devices(sh), &list);
    if (devices_stopped(sh->devices, diag(sh))) return false;
    json_t *all = json_array();
    for (int i = 0; i < n; i++) {
        const DeviceInfo *d = &list[i];
        bool current = now && !strcmp(now->id, d->id), paused = current && device_paused(sh->device, NULL);
        json_add(all, "{id:s name:s gpu:b units:l local_bytes:l checker:b current:b paused:b}", d->id, d->name, d->is_gpu, d->compute_units,
                 d->local_bytes, d->is_checker, current, paused);
        if (named || record || arg_flag(a, "measure")) continue;
        print(sh, "%s %d  %s" AT(18) "%s    %s, %lld units, local %lld KiB%s%s\n", current ? "*" : " ", i, d->id, d->name, d->is_gpu ? "GPU" : "CPU",
              (long long)d->compute_units, (long long)(d->local_bytes >> 10), d->is_checker ? ", checker" : "",
              paused ? ", paused" : "");
    }
    const char *problem = devices_problem(shell_devices(sh));
    if (sh->target_arena && !record) print(sh, "  kernels are made for %s: set target\n", sh->target.id);
    if (record) return shell_report(sh, "{devices:o record:o}", all, record);
    if (n == 0 && *problem) print(sh, "no OpenCL device was found: %s\n", problem);
    else if (n == 0) print(sh, "no OpenCL device was found; eval runs programs without one\n");
    return shell_report(sh, "{devices:o}", all);
}

/* ---- run: the report ---- */

static const char *bytes_text(Shell *sh, int64_t bytes)
{
    if (bytes < 1024) return arena_printf(sh->scratch, "%lld B", (long long)bytes);
    return arena_printf(sh->scratch, "%.1f KiB", (double)bytes / 1024);
}

static void report_verify(Shell *sh, const RunOutcome *o)
{
    const VerifyOutcome *v = &o->verify;
    if (v->status == VERIFY_OFF) {
        print(sh, "  verify  off\n");
        return;
    }
    print(sh, "  verify  ");
    if (v->status == VERIFY_INACCURATE) show_color(sh, "33", "INACCURATE");
    else if (v->status == VERIFY_ILL_CONDITIONED) show_color(sh, "33", "ILL-CONDITIONED");
    else print(sh, "OK");
    int repeated = v->inputs - v->once;
    print(sh, "   %d input%s x %d repeat%s", repeated, plural(repeated), v->repeats, plural(v->repeats));
    if (v->once) print(sh, ", %d x 1", v->once);
    print(sh, "%s\n          ", v->exact_first ? "; input 1 exact" : "");
    if (v->error == 0) print(sh, "exact");
    else if (v->own > 0) print(sh, "error %.2g, %.2g x the %s own", v->error, v->error / v->own, v->approximate ? "roundings'" : "source's");
    else print(sh, "error %.2g", v->error);
    if (v->power > 0 && !v->mute) print(sh, "; sees changes of %.2g", v->power);
    print(sh, "\n          %s\n", v->level_text ? v->level_text : "");
    if (v->mute) print(sh, "          every value is 0, inf or NaN: other sizes or inputs (`data`) show more of what makes it\n");
    if (v->unseen > 0.5) print(sh, "          does not see which part a min, max or if leaves out\n");
    else if (v->unseen > 0.01) print(sh, "          sees a part of 1/%.0f that a min, max or if leaves out\n", floor(1 / v->unseen));
    /* What the verdict rests on besides the comparison. */
    if (v->inaccurate) {
        print(sh, "          %lld of %lld values far less accurate than the source's, as of %s\n          at %s: got %s, true value %s",
              (long long)v->inaccurate, (long long)v->inaccurate_of, v->lost.inputs, *v->lost.where ? v->lost.where : "the result",
              v->lost.got, v->lost.want);
        if (v->lost.relative < HUGE_VAL) print(sh, " (rel %.2g)", v->lost.relative);
        print(sh, "\n          kernel and rules are right: what remains is rounding\n");
    }
    if (v->status == VERIFY_INACCURATE && v->coarse && !v->inaccurate) print(sh, "          the values have fewer than three right digits\n");
    if (v->status == VERIFY_ILL_CONDITIONED)
        print(sh, "          %s\n          fewer steps, or other inputs (`data`), leave some\n",
              v->vague ? "rounding leaves the source itself no right digit" : "no digits to compare: rounding alone changes more of the values");
    if (v->undecided) print(sh, "          %lld differences were not looked at (time limit)\n", (long long)v->undecided);
    if (v->unlooked)
        print(sh, "          %lld of %lld differences were looked at (time limit), the farthest and others at random: all are right\n",
              (long long)v->looked, (long long)(v->looked + v->unlooked));
    if (v->special)
        print(sh, "          %lld value%s inf or NaN in the reference: no tolerance there\n", (long long)v->special,
              v->special == 1 ? " is" : "s are");
    if (v->overflown)
        print(sh, "          %lld value%s the range of the type, as the source's do\n", (long long)v->overflown,
              v->overflown == 1 ? " leaves" : "s leave");
    if (v->hanging)
        print(sh, "          %lld value%s right on the other side of a comparison, floor or cast\n",
              (long long)v->hanging, v->hanging == 1 ? " is" : "s are");
    if (v->left_out) print(sh, "          left out: %s\n", v->left_out);
}

static void report_time(Shell *sh, const RunOutcome *o)
{
    const TimeOutcome *t = &o->time;
    if (t->trials == 0) return;
    print(sh, "  time    %s ms median of %d  (IQR %s, min %s)    ", figure(sh, "%.4g", t->median_ns / 1e6), t->trials,
          figure(sh, "%.2g", t->iqr_ns / 1e6), figure(sh, "%.4g", t->min_ns / 1e6));
    if (t->flops > (double)t->bytes) print(sh, "%s GFLOP/s   ", figure(sh, "%.4g", t->flops / t->median_ns));
    print(sh, "%s GB/s\n", figure(sh, "%.4g", t->gb_per_s));
    if (t->transfer)
        print(sh, "          with %s\n", t->transfer == TRANSFER_TO ? "the inputs' way to the device"
              : t->transfer == TRANSFER_FROM ? "the results' way from the device" : "the inputs' way to the device and the results' from it");
}

/* A number of bytes as people say it: "4.19 MB". */
static const char *traffic(Shell *sh, double bytes)
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB"};
    int u = 0;
    for (; u < COUNT(units) - 1 && bytes >= 1000; u++) bytes /= 1000;
    return arena_printf(sh->scratch, "%.4g %s", bytes, units[u]);
}

static bool is_paranoid(const Shell *sh) { return session_setting_is(sh->session, SET_SYNC, "paranoid"); }

/* "@11 = toLocal at /in/f/body" */
static const char *step_text(Shell *sh, const Version *v, const Version *parent)
{
    return arena_printf(sh->scratch, "%s = %s%s%s", version_name(sh, v), v->call, v->at ? " at " : "",
                        v->at ? place_text(sh->c, parent->root, v->at) : "");
}

/* What came before it, and how to find out more. */
static void report_wrong_step(Shell *sh, const Version *v, const RunOutcome *o)
{
    const Version *parent = v->parent >= 0 ? derivation_version(session_current(sh->session), v->parent) : NULL;
    Result known;
    bool ok = parent && (parent->run ? parent->run->state == STATE_OK
                         : record_best(sh, parent, &known) && known.state == RESULT_OK);
    if (ok) print(sh, "  last step before wrong: @%d was OK; %s\n", v->parent, step_text(sh, v, parent));
    else if (parent) print(sh, "  %s, from @%d\n", step_text(sh, v, parent), v->parent);
    bool diff = parent && shell_plan(sh, parent) && shell_plan(sh, v);    /* both have kernels of their own */
    diag_clear(diag(sh));
    /* A barrier may be missing where kernels that were generated share memory, and do not wait for each other all the time already. */
    bool shared = o->verify.repeat_differs > 0, paranoid = is_paranoid(sh);
    for (int i = 0; i < o->kernel_count; i++) shared = shared || o->kernels[i].local_bytes || o->kernels[i].barriers;
    bool barrier = shared && !v->code && !paranoid;
    if (diff || barrier)
        print(sh, "  next: %s%s%s%s\n",
              diff ? arena_printf(sh->scratch, "diff %s %s --code", version_name(sh, parent), version_name(sh, v)) : "",
              diff && barrier ? "        " : "", barrier ? "set sync paranoid ; run " : "", barrier ? version_name(sh, v) : "");
    if (paranoid && !v->code) print(sh, "  it is wrong with every barrier too: none is missing\n");
}

static void report_wrong(Shell *sh, const Version *version, const RunOutcome *o)
{
    const VerifyOutcome *v = &o->verify;
    const Difference *first = &v->first;
    LOCAL(buf_free) Buf rules = {0};
    print(sh, "%s %s   ", version_marked(sh, version), o->device_id);
    show_color(sh, "31", "WRONG RESULT");
    print(sh, "   input %d %s  repeat %d of %d\n", v->wrong_input, first->inputs, v->wrong_repeat, v->repeats);
    print(sh, "  %lld of %lld elements differ; first at %s: got %s, want %s (rel %.3g)", (long long)v->wrong,
          (long long)v->wrong_of, *first->where ? first->where : "the result", first->got, first->want, first->relative);
    print(sh, "%s%s\n", v->pattern ? "; pattern: " : "", v->pattern ? v->pattern : "");
    if (v->culprit != CULPRIT_UNKNOWN)
        print(sh, "  %s\n", v->culprit == CULPRIT_KERNEL ? "the kernel does not compute what the version says" : "the version does not mean what its source means");
    bool finite = isfinite(strtod(first->got, NULL)) && isfinite(strtod(first->want, NULL));
    if (v->culprit == CULPRIT_RULES && !finite && session_takes_finite(version, &rules))
        print(sh, "  %s: of numbers that are neither inf nor NaN alone       help rules\n", buf_text(&rules));
    if (v->unwritten) print(sh, "  %lld elements were never written\n", (long long)v->unwritten);
    if (v->repeat_differs)
        print(sh, "  repeats with the same input differ in %lld elements -> looks like a race\n", (long long)v->repeat_differs);
    report_wrong_step(sh, version, o);
}

/* alone: the error that follows is this version's. */
static void report(Shell *sh, const Version *version, const RunOutcome *o, const Values *values, bool alone, bool by_kernel)
{
    if (o->state == STATE_WRONG) {
        report_wrong(sh, version, o);
        return;
    }
    if (o->state != STATE_OK && o->state != STATE_STOPPED) {
        ResultState ended = result_state_of(o);
        const char *kept = ended == RESULT_DIED ? "; recorded, will not be retried (run --force insists)"
                           : ended == RESULT_TIMED_OUT ? "; recorded, will not be retried with this limit" : "";
        bool again = alone && !*kept && o->diag.message && o->summary && !strcmp(o->summary, o->diag.message);
        if (o->summary && *o->summary && !again)
            print(sh, "%s %s   %s%s\n", version_name(sh, version), o->device_id ? o->device_id : "", o->summary, kept);
        if (o->device_status == RUN_FINDING) report_wrong_step(sh, version, o);
        return;
    }
    show_color(sh, "1", version_marked(sh, version));
    print(sh, "  %s %s   ", o->device_id ? o->device_id : "", o->device_name ? o->device_name : "");
    values_print(values, &sh->out);
    for (int i = 0; i < o->kernel_count; i++) {
        print(sh, "   ");
        /* "64x4 x 16x16": the local size, then the number of groups. */
        const KernelOutcome *k = &o->kernels[i];
        int dims = 3;
        while (dims > 1 && k->global[dims - 1] <= 1) dims--;
        for (int j = 0; j < dims; j++) print(sh, "%s%lld", j ? "x" : "WG ", (long long)k->local[j]);
        for (int j = 0; j < dims; j++)
            print(sh, "%s%lld", j ? "x" : " x ", (long long)(k->local[j] ? k->global[j] / k->local[j] : k->global[j]));
    }
    buf_putc(&sh->out, '\n');
    int64_t local = 0, private_bytes = 0;
    for (int i = 0; i < o->kernel_count; i++) {
        if (o->kernels[i].local_bytes > local) local = o->kernels[i].local_bytes;
        if (o->kernels[i].private_bytes > private_bytes) private_bytes = o->kernels[i].private_bytes;
    }
    print(sh, "  build   %s ms        ", figure(sh, "%.0f", o->build_ms));
    if (o->kernel_count > 1) print(sh, "%d kernels   ", o->kernel_count);
    print(sh, "local %s/WG   private %s\n", bytes_text(sh, local), bytes_text(sh, private_bytes));
    for (int i = 0; i < o->warning_count; i++) print(sh, "  warning %s\n", o->warnings[i]);
    report_verify(sh, o);
    report_time(sh, o);
    if (by_kernel) {
        /* Of each kernel: time, bytes read and written, their rate. */
        size_t width = 0;
        for (int i = 0; i < o->kernel_count; i++)
            if (strlen(o->kernels[i].name) > width) width = strlen(o->kernels[i].name);
        for (int i = 0; o->time.trials && i < o->kernel_count; i++) {
            const KernelOutcome *k = &o->kernels[i];
            double bytes = k->read_bytes + k->written_bytes;
            print(sh, "          %-*s  %s ms", (int)width, k->name, figure(sh, "%9.4g", k->ns / 1e6));
            if (bytes > 0) print(sh, "  %10s read %10s written", traffic(sh, k->read_bytes), traffic(sh, k->written_bytes));
            if (bytes > 0 && k->ns > 0 && !k->at_most) print(sh, "  %s GB/s", figure(sh, "%.4g", bytes / k->ns));
            if (k->launches > 1 || k->at_most) print(sh, "  %s%.4g launches", k->at_most ? "at most " : "", k->launches);
            buf_putc(&sh->out, '\n');
        }
    }
    if (is_paranoid(sh)) {               /* what the result says beside one without */
        bool was_wrong = version->run && version->run->state == STATE_WRONG && !version->code;
        buf_puts(&sh->out, version->code ? "  sync    paranoid: each kernel ended before the next; kernels edited by hand keep their barriers\n"
                                         : "  sync    paranoid: with every barrier; the time is not compared with others\n");
        if (was_wrong)
            print(sh, "          %s was wrong without: a barrier is missing        code %s\n", version_name(sh, version),
                  version_name(sh, version));
    }
    if (o->state == STATE_STOPPED)
        buf_puts(&sh->out, device_paused(sh->device, NULL) ? "  not run: the device is paused\n" : "  stopped by Ctrl-C\n");
}

/* ---- run: JSON ---- */

static json_t *bindings_json(const Values *values, VarKind kind)
{
    json_t *o = json_object();
    for (int i = 0; i < values->count; i++)
        if (values->b[i].kind == kind && values->b[i].set)
            json_object_set_new(o, values->b[i].name, json_integer(values->b[i].value));
    return o;
}

static json_t *run_json(Shell *sh, const Version *v, const RunOutcome *o, const Values *values)
{
    bool on = show_times(sh);
    const VerifyOutcome *c = &o->verify;
    json_t *verify = json_of("{status:s inputs:i compared:l max_ulp:n error:n own:o power:n mute:b unseen:n inaccurate:l hanging:l special:l first:s?}",
                             verify_status_name(c->status), c->inputs, c->compared, c->max_ulp, c->error,
                             isnan(c->own) ? json_null() : json_real(c->own), c->power, c->mute, c->unseen, c->inaccurate, c->hanging, c->special, c->first.where);
    json_t *kernels = JSON_LIST(i, o->kernel_count, json_string(o->kernels[i].name)),
           *times = JSON_LIST(i, o->time.trials, on ? json_real(o->time.ns[i]) : json_string("-")), *traffic = json_array();
    for (const KernelOutcome *k = o->kernels; k < o->kernels + o->kernel_count; k++)
        json_add(traffic, "{name:s ns:o launches:n read_bytes:n written_bytes:n local_bytes:l}", k->name,
                 on ? json_real(k->ns) : json_string("-"), k->launches, k->read_bytes, k->written_bytes, k->local_bytes);
    return json_of("{state:s trust:s device:s? sizes:o params:o kernels:o by_kernel:o verify:o transfer:s ns:o times_ns:o}",
                   run_state_name(o->state), trust_name(v->trust), o->device_id, bindings_json(values, VAR_SIZE),
                   bindings_json(values, VAR_PARAM), kernels, traffic, verify, transfer_name(o->time.transfer),
                   !o->time.trials ? json_null() : on ? json_real(o->time.median_ns) : json_string("-"), times);
}

/* ---- run ---- */

typedef struct Runs {
    int count;
    const Version **versions;
    Values *values;
    RunSpec *specs;
    RunOutcome *outcomes;
    ResultRecord *records;
    Outputs outputs;
    bool by_kernel;
    const Version *culprit;              /* the first that was left out: it died or did not end before; NULL: none */
    Result before;                       /* how that was */
} Runs;

static bool collect(Shell *sh, const Args *a, Runs *r)
{
    RunSettings settings = session_run_settings(sh->session);
    int64_t trials = settings.trials;
    if (arg_flag(a, "n") && !arg_int(sh, "-n", arg_flag(a, "n"), 0, 100000, &trials)) return false;
    settings.trials = (int)trials;
    if (arg_flag(a, "no-verify")) settings.verify = false;
    r->by_kernel = arg_flag(a, "kernels") != NULL;
    settings.by_kernel = true;
    if (!outputs_read(sh, a, &r->outputs)) return false;
    settings.keep_result = r->outputs.count > 0 || r->outputs.shown;
    if (r->outputs.count && a->count > 1) return arg_error(sh, a, "--save takes the result of one version");
    const char *transfer = arg_flag(a, "transfer");
    if (transfer) transfer_named(transfer, &settings.transfer);
    r->count = a->count ? a->count : 1;
    r->versions = NEW_ARRAY(sh->scratch, const Version *, r->count);
    r->values = NEW_ARRAY(sh->scratch, Values, r->count);
    r->specs = NEW_ARRAY(sh->scratch, RunSpec, r->count);
    r->outcomes = NEW_ARRAY(sh->scratch, RunOutcome, r->count);
    r->records = NEW_ARRAY(sh->scratch, ResultRecord, r->count);
    for (int i = 0; i < r->count; i++) {
        const Derivation *d = session_current(sh->session);
        const Version *v = a->count ? session_ref(sh->session, a->words[i]) : session_version(sh->session);
        if (!v) return false;
        if (v->code && sh->restricted) return shell_error(sh, E05, "kernels edited by hand are not run with --restricted");
        if (!session_values(sh->session, v, sh->scratch, &r->values[i])) return false;
        r->specs[i] = (RunSpec){
            .name = d->program->name, .term = v->root, .reference = d->program->body, .approximate = version_is_approximate(v), .bindings = r->values[i].b,
            .binding_count = r->values[i].count,
            .sizes_as_arguments = v->code ? v->code->arguments : session_setting_is(sh->session, SET_SIZES, "argument"),
            .inputs = d->inputs, .input_count = d->program->input_count, .settings = settings,
            .header = kernel_header(sh, v, &r->values[i]), .stop = sh->stop,
            .edited = v->code, .source_override = v->code ? v->code->source : NULL,
            };
        session_local(sh->session, r->specs[i].local);
        const Type *type = r->outputs.count ? session_bound_type(sh->session, &r->values[i], v->root->type) : NULL;
        if (r->outputs.count && (!type || !outputs_fit(sh, &r->outputs, type))) return false;
        r->versions[i] = v;
    }
    return true;
}

/* Print every outcome; the first error becomes the command's. */
static bool report_all(Shell *sh, Runs *r)
{
    json_t *all = json_array();
    int turns = r->count > 1 ? ++sh->turns : 0;
    for (int i = 0; i < r->count; i++) {
        const RunOutcome *o = &r->outcomes[i];
        result_record(&r->records[i], o);
        report(sh, r->versions[i], o, &r->values[i], r->count == 1, r->by_kernel);
        bool ordinary = !is_paranoid(sh) && !o->time.transfer;
        if (ordinary && o->state == STATE_OK && o->time.trials && show_times(sh)) {
            /* Among all versions of the program, of earlier sessions too. It changes from run to run, as times do. */
            int place, count = results_rank(r->records[i].store, &r->records[i].planned.key, o->time.median_ns, &place);
            if (count > 1) print(sh, "  rank    %d of %d versions at these sizes        results\n", place, count);
        }
        if (ordinary) session_note_run(sh->session, r->versions[i], o, turns);
        json_t *run = run_json(sh, r->versions[i], o, &r->values[i]);
        if (o->result && r->outputs.shown) {
            const char *text = outputs_text(sh, &r->outputs, o->result);
            print(sh, "  result%s  %s\n", strchr(text, '\n') ? "\n" : "", text);
            json_object_set_new(run, "head", json_string(text));
        }
        if (o->state == STATE_OK && o->result) outputs_write(sh, &r->outputs, o->result, run);
        else if (r->outputs.count && o->state == STATE_WRONG) print(sh, "  not saved\n");
        json_array_append_new(all, run);
        int code = run_exit_code(o);
        if (code && !sh->status) sh->status = code;
        if (diag_failed(&o->diag) && !diag_failed(diag(sh))) {
            /* What a wrong result is has been printed already, with what is known of the step that made it. */
            const Version *v = r->versions[i];
            Diag *d = diag(sh);
            if (sh->json || o->state != STATE_WRONG) {
                diag_copy(d, &o->diag);
            } else if (diag_error(d, E63, "%s does not compute what its source does", version_name(sh, v))) {
                if (v->trust == TRUST_ASSUMED)
                    diag_note(d, "trust", "%s rests on the %s", version_name(sh, v), version_assumed(sh, v));
                if (v->parent > 0) diag_note(d, "try", "run @%d; explain %s", v->parent, version_name(sh, v));
                else diag_note(d, "try", "check %s", version_name(sh, v));
            }
        }
    }
    if (r->count == 1) shell_report(sh, "o", json_incref(json_array_get(all, 0))), json_decref(all);
    else shell_report(sh, "{runs:o}", all);
    return sh->status == 0 && !diag_failed(diag(sh));
}

static bool report_culprit(Shell *sh, const Runs *r)
{
    if (!r->culprit || diag_failed(diag(sh))) return r->culprit == NULL;
    const char *name = version_name(sh, r->culprit);
    diag_error(diag(sh), E62, "%s was not run: it %s before on %s", name,
               r->before.state == RESULT_DIED ? "died" : "did not end", r->before.key.device);
    if (*r->before.message) diag_note(diag(sh), "found", "%s", r->before.message);
    diag_note(diag(sh), "try", "run %s --force", name);
    return false;
}

typedef struct Told { Shell *sh; const Version *v; } Told;

static void tell(void *data, const char *doing, int done, int of)
{
    const Told *t = data;
    const char *text = arena_printf(t->sh->scratch, "%s   %s", version_name(t->sh, t->v), doing);
    show_progress(t->sh, of ? arena_printf(t->sh->scratch, "%s %d of %d", text, done, of) : text);
}

/* Of several, timed in turns: how many times as fast as each other one the fastest is. */
static void report_ratios(Shell *sh, const Runs *r)
{
    int best = -1;
    if (!show_times(sh)) return;
    for (int i = 0; i < r->count; i++) {
        const RunOutcome *o = &r->outcomes[i];
        bool timed = o->state == STATE_OK && o->time.trials && o->time.median_ns > 0;
        if (timed && (best < 0 || o->time.median_ns < r->outcomes[best].time.median_ns)) best = i;
    }
    for (int i = 0; best >= 0 && i < r->count; i++) {
        const RunOutcome *o = &r->outcomes[i];
        if (i == best || r->versions[i] == r->versions[best] || o->state != STATE_OK || !o->time.trials) continue;
        print(sh, "%s is %.3g x as fast as %s\n", version_name(sh, r->versions[best]),
              o->time.median_ns / r->outcomes[best].time.median_ns, version_name(sh, r->versions[i]));
    }
}

bool cmd_run(Shell *sh, Args *a)
{
    Runs r = {0};
    if (!shell_version(sh) || !collect(sh, a, &r)) return false;
    Device *d = shell_device(sh);
    if (!d) return false;
    if (arg_flag(a, "force")) device_set_paused(d, false);
    if (device_paused(d, diag(sh))) return false;
    /* Write ahead for each; unless forced, leave out what died or did not end before. */
    const DeviceInfo *device = device_info(d);
    bool force = arg_flag(a, "force") != NULL;
    int kept = 0;
    for (int i = 0; i < r.count; i++) {
        ResultRecord record;
        Result before;
        record_plan(sh, r.versions[i], &r.specs[i], device, &record);
        bool known = results_find(record.store, &record.planned.key, sh->scratch, &before)
            && !result_interrupted(&record, &before);
        bool culprit = known && !force && result_is_culprit(&before, r.specs[i].settings.run_ms);
        if (culprit && !r.culprit) r.culprit = r.versions[i], r.before = before;
        if (culprit) continue;
        r.versions[kept] = r.versions[i];
        r.values[kept] = r.values[i];
        r.specs[kept] = r.specs[i];
        r.records[kept++] = record;
    }
    r.count = kept;
    for (int i = 0; i < kept; i++) result_watch(&r.records[i], &r.specs[i]);
    if (r.count == 0) return report_culprit(sh, &r);
    device_set_limits(d, (DeviceLimits){r.specs[0].settings.build_ms, r.specs[0].settings.run_ms});
    Told *told = NEW_ARRAY(sh->scratch, Told, r.count);
    for (int i = 0; i < r.count; i++) {
        told[i] = (Told){sh, r.versions[i]};
        r.specs[i].progress = tell;
        r.specs[i].progress_data = &told[i];
    }
    if (r.count == 1) run_version(sh->c, d, &r.specs[0], &r.outcomes[0]);
    else run_versions(sh->c, d, r.specs, r.count, true, r.outcomes);
    show_progress(sh, "");
    diag_clear(diag(sh));
    bool ok = report_all(sh, &r);
    report_ratios(sh, &r);
    for (int i = 0; i < r.count; i++) run_outcome_free(&r.outcomes[i]);
    shell_results_check(sh);
    /* Was the device paused by the command that ends? */
    if (sh->device && device_paused(sh->device, NULL))
        shell_warn(sh, W13, arena_printf(sh->scratch, "device %s", device_info(sh->device)->id),
                   "%s is paused: its worker died %d times in a row", device_info(sh->device)->id, DEVICE_DEATHS);
    return report_culprit(sh, &r) && ok;
}
