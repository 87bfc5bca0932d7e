# One look at many jobs. Expects ids (commas), count and records (paths of exit records, one a line, quoted by us).
poll() {
  LC_ALL=C SLURM_TIME_FORMAT=%s
  export LC_ALL SLURM_TIME_FORMAT
  sep=$(printf '\037')
  queue=$(squeue -h -t all -j "$ids" -o "%i$sep%T$sep%r$sep%N$sep%S$sep%e$sep%V$sep%j" 2>&1)
  printf 'tao-squeue %s\n%s\n' $? "$queue"
  absent=$(printf '%s\n' "$queue" | awk -F"$sep" -v ids="$ids" '
    NF > 2 { seen[$1] = 1 }
    END { n = split(ids, want, ","); for (i = 1; i <= n; i++) if (!(want[i] in seen)) { printf "%s%s", c, want[i]; c = "," } }')
  if [ -n "$absent" ]; then
    past=$(sacct -X -n -P --delimiter="$sep" -j "$absent" \
      -o JobIDRaw,State,ExitCode,Start,End,NodeList,JobName 2>&1)
    printf 'tao-sacct %s\n%s\n' $? "$past"
  fi
  printf 'tao-records 0\n'
  records
  printf 'tao-end 0\n'
}
poll
