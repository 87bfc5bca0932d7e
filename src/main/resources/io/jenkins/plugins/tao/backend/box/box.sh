# What a job's wrapper and every look at a box share. POSIX sh; all names begin with tao_.
tao_boot=unknown
read -r tao_boot 2>/dev/null </proc/sys/kernel/random/boot_id || :

# Whether the wrapper of attempt $1 lives: pid, start time and boot must be those that it wrote down itself.
tao_alive() {
  tao_pid= tao_was= tao_since=
  read -r tao_pid tao_start tao_was tao_since 2>/dev/null <"$1/process" || return 1
  [ "$tao_was" = "$tao_boot" ] && read -r tao_stat 2>/dev/null <"/proc/$tao_pid/stat" || return 1
  set -f
  set -- ${tao_stat##*) }
  set +f
  [ "${20}" = "$tao_start" ] && [ "$1" != Z ]
}

# The processes of attempt $1: those that carry its mark in their environment, and those that write to the job's log though
# their environment was emptied; never a stranger with a recycled pid.
tao_members() {
  {
    grep -lsF "TAO_RUN=$1/" /proc/[0-9]*/environ 2>/dev/null | sed 's|^/proc/||; s|/.*||'
    ls -l /proc/[0-9]*/fd/1 /proc/[0-9]*/fd/2 2>/dev/null | tao_job=${1%/*} awk '
      $NF == ENVIRON["tao_job"] "/main.out" || $NF == ENVIRON["tao_job"] "/main.err" {
        sub(/^.* \/proc\//, ""); sub(/\/.*/, ""); print }'
  } | sort -u
}

# Those of them that are not our own wrapper, nor a part of it.
tao_rest() {
  for tao_p in $(tao_members "$1"); do
    case $(tr '\0' ' ' 2>/dev/null <"/proc/$tao_p/cmdline") in
      '' | *"/wrapper.sh $1 "*) ;;
      *) echo "$tao_p" ;;
    esac
  done
}

# A pause of ours, which is no process of the job.
tao_sleep() { env -u TAO_RUN sleep "$1" >/dev/null 2>&1; }

# "status code oom" of the container of attempt $1. Returns 1 when there is none that the engine knows, and 2 when the engine
# cannot be asked: then its words are the output.
tao_container() {
  read -r tao_tool tao_name 2>/dev/null <"$1/container" || return 1
  tao_said=$(env -u TAO_RUN timeout 20 "$tao_tool" inspect -f '{{.State.Status}} {{.State.ExitCode}} {{.State.OOMKilled}}' "$tao_name" \
    2>/dev/null) && { echo "$tao_said"; return 0; }
  tao_said=$(env -u TAO_RUN timeout 20 "$tao_tool" ps -a --format '{{.Names}}' 2>&1) || { tao_words; return 2; }
  ! printf '%s\n' "$tao_said" | grep -qxF "$tao_name" || { echo "$tao_tool lists $tao_name and cannot inspect it"; return 2; }
  return 1
}

# The last words in $tao_said that are no advice of a command line.
tao_words() {
  printf '%s\n' "$tao_said" | grep -vE "^[[:space:]]*$|^\[\]$|^(See|Run) '" | tail -n 1 | cut -c 1-500
}

# Whether anything of attempt $1 still runs, with its wrapper or without.
tao_live() {
  tao_alive "$1" && return 0
  [ -n "$tao_pid" ] && [ "$tao_was" = "$tao_boot" ] && [ ! -e "$1/exit" ] || return 1
  [ -z "$(tao_members "$1")" ] || return 0
  tao_box=$(tao_container "$1")
  case $?$tao_box in 0running* | 0paused* | 2*) return 0 ;; esac
  return 1
}

# How often the kernel has ended a process of our memory slice; the nearest cgroup that counts.
tao_oom_kills() {
  tao_slice=$(sed -n 's/^0:://p' /proc/self/cgroup 2>/dev/null)
  while :; do
    if [ -r "/sys/fs/cgroup$tao_slice/memory.events" ]; then
      sed -n 's/^oom_kill //p' "/sys/fs/cgroup$tao_slice/memory.events"
      return
    fi
    case $tao_slice in '' | /) return ;; esac
    tao_slice=${tao_slice%/*}
  done
}

tao_uptime() { cut -d' ' -f1 /proc/uptime 2>/dev/null; }

# What may tell why attempt $1 is gone: one fact a line.
tao_evidence() {
  tao_was=- tao_since=- tao_oom=- tao_up=0
  read -r tao_pid tao_start tao_was tao_since 2>/dev/null <"$1/process" || :
  read -r tao_oom tao_up 2>/dev/null <"$1/begin" || :
  echo "boot $tao_was $tao_boot"
  echo "uptime $(tao_uptime)"
  echo "oom $tao_oom $(tao_oom_kills)"
  [ ! -f "$1/signal" ] || sed 's/^/signal /' "$1/signal"
  case $(tao_container "$1") in *true) echo "container-oom yes" ;; esac
  [ "$tao_was" = "$tao_boot" ] || tao_up=0
  dmesg 2>/dev/null | awk -v up="$tao_up" '
    /Killed process|Out of memory|oom-kill|NVRM: Xid/ { t = $0; sub(/^\[ */, "", t); if (t + 0 >= up + 0) print "kernel " $0 }' | tail -n 5
  if [ -s "$1/gpus" ] && tao_said=$(nvidia-smi -L 2>&1); then :; elif [ -s "$1/gpus" ]; then
    echo "gpu $(printf %s "$tao_said" | head -n 1)"
  fi
}

# Writes the evidence down once, so that a later look says the same.
tao_death() {
  [ -f "$1/death" ] || { tao_evidence "$1" >"$1/death.$$" && mv -f "$1/death.$$" "$1/death"; } 2>/dev/null
  cat "$1/death" 2>/dev/null
}

# What draws the screen: it holds a GPU for ever, and no job has to wait for that.
tao_desktop='^(X$|Xorg|Xwayland|gnome-|gsd-|mutter|kwin|plasma|ksmserver|sddm|gdm|lightdm|xfwm4|xfce4|cinnamon|muffin|marco|mate-|budgie|picom|compton|sway|weston|Hyprland|labwc|wayfire|cosmic-)'

# Who uses the GPUs: "gpu index uuid MiB", "app uuid pid MiB name", "open index pid name", "desk index" for a GPU with a screen.
tao_gpus() {
  tao_list=$(nvidia-smi --query-gpu=index,uuid,memory.used --format=csv,noheader,nounits 2>/dev/null | tr -d , | sed 's/^/gpu /')
  printf '%s\n' "$tao_list"
  nvidia-smi --query-compute-apps=gpu_uuid,pid,used_memory,process_name --format=csv,noheader,nounits 2>/dev/null |
    sed 's/, / /; s/, / /; s/, / /; s/^/app /'
  { printf '%s\n' "$tao_list"; cat /proc/driver/nvidia/gpus/*/information; ls -l /proc/[0-9]*/fd; } 2>/dev/null | tao_open
}

# Of "gpu" lines, what the driver tells of its devices, and open files: "open index pid name". /dev/nvidiaN is named by a minor
# number, which is no index: a container may own one device of eight, and some boards count against the order of the bus.
tao_open() {
  awk -v desktop="$tao_desktop" '
    $1 == "gpu" { at[$3] = $2 }
    /^GPU UUID:/ { uuid = $3 }
    /^Device Minor:/ { told = 1; if (uuid in at) minor[$3] = at[uuid] }
    /^\/proc\// { split($0, p, "/"); pid = p[3] }
    /-> \/dev\/nvidia[0-9]+$/ { i = $NF; sub(/.*nvidia/, "", i); if (told) { if (!(i in minor)) next; i = minor[i] }
      if (!((i, pid) in seen)) {
        seen[i, pid] = 1; name = "?"; f = "/proc/" pid "/comm"; getline name < f; close(f)
        if (name ~ desktop) print "desk", i
        else if (name !~ /^(nvidia-persiste|nv-hostengine|dcgm)/) print "open", i, pid, name } }'
}

# Of the lines of tao_gpus and "held index owner": "free index" or "busy index why". Memory that nobody owns up to counts.
tao_free() {
  awk -v desktop="$tao_desktop" '
    $1 == "desk" { desk[$2] = 1 }
    $1 == "held" { why[$2] = "job " $3 }
    $1 == "gpu" { n++; order[n] = $2; uuid[$3] = $2; used[$2] = $4 }
    $1 == "app" { i = uuid[$2]; if (why[i] == "") { t = $0; sub(/^app [^ ]* /, "", t); split(t, a, " "); name = t; sub(/^[^ ]* [^ ]* /, "", name)
        own = name; sub(/ .*/, "", own); sub(/.*[/]/, "", own)
        if (own ~ desktop) desk[i] = 1; else why[i] = "pid " a[1] " (" name ", " a[2] " MiB)" } }
    $1 == "open" { if (why[$2] == "") why[$2] = "pid " $3 " (" $4 ") has it open" }
    END { for (k = 1; k <= n; k++) { i = order[k]
        if (why[i] == "" && !(i in desk) && used[i] + 0 >= 1024) why[i] = used[i] " MiB are used by a process that cannot be seen"
        print (why[i] == "" ? "free " i : "busy " i " " why[i]) } }'
}
