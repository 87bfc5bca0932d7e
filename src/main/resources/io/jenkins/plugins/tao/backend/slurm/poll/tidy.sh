# Removes what was staged for jobs whose last sign of life is long ago. Expects base, keep (minutes), most (jobs at a
# time), dry (not empty: only tells) and what lease.sh and code-tidy.sh expect. Tells each job and its kibibytes.
# The files of job $key, one a line and no other job's: keys may begin alike. The script comes last, for by it a job
# whose removal broke off is found again.
own_files() {
  for file in "specs/$key.json" "specs/$key.yaml" "specs/$key.toml" "specs/$key.nodes" "specs/$key.members" \
    "env/$key.json" "meta/$key.json" \
    "sbatch/import_$key.sbatch" "submit/$key.cancel" "submit/$key".[0-9]* "secrets/$key".[0-9]* "exit/$key"-[0-9]* \
    "slurm-logs/tao-job-$key"-[0-9]* "leases/$key" "sbatch/job_$key.sbatch"; do
    rest=${file#*/}
    rest=${rest#tao-job-}
    rest=${rest#"$key"[-.]}
    case $file in
      submit/*.cancel) ;;
      submit/*) case ${rest%%.*}:${rest#*.} in *[!0-9]*:* | *:*.*) continue ;; esac ;;
      secrets/*) rest=${rest%.env}; case $rest in *[!0-9]*) continue ;; esac ;;
      exit/* | slurm-logs/*) rest=${rest%.part}; rest=${rest%.ranks}; rest=${rest%.out}; rest=${rest%.gpu}; case ${rest%.err} in *[!0-9_]*) continue ;; esac ;;
    esac
    [ ! -e "$file" ] || printf '%s\n' "$file"
  done
}

tidy_job() {
  key=${1##*/job_}
  key=${key%.sbatch}
  case $key in '' | [!A-Za-z0-9]* | *[!A-Za-z0-9._-]*) return ;; esac
  grep -qs '"backend_type":"slurm"' "meta/$key.json" || return
  case "$nl$queued$nl" in *"$nl""tao-job-$key$nl"*) return ;; esac
  files=$(own_files)
  [ -z "$(find $files -mmin "-$keep" 2> /dev/null | head -n 1)" ] || return
  if [ "$count" -ge "$most" ]; then more=1; return; fi
  size=$(du -sck $files 2> /dev/null | tail -n 1)
  if [ -z "$dry" ]; then
    lease_take "leases/$key" || return
    rm -rf -- $files
    [ ! -e "sbatch/job_$key.sbatch" ] || return
  fi
  count=$((count + 1))
  printf '%s %s\n' "$key" "${size%%[!0-9]*}"
}

# The code of all jobs whose files are kept.
code_used() {
  [ -d "$base/meta" ] || return 1
  find "$base/meta" -name '*.json' -exec sed -n 's/.*"code":"\([0-9a-f]*\)".*/\1/p' {} + | sort -u
}

tidy() {
  LC_ALL=C
  export LC_ALL
  nl='
'
  count=0
  more=
  cd "$base/sbatch" 2> /dev/null && cd .. || { printf 'tao-tidied 0\ntao-end 0\n'; return; }
  queued=$(squeue -h -u "$(id -un)" -o '%j' 2>&1) || { printf 'tao-away 1\n%s\ntao-end 0\n' "$queued"; return; }
  printf 'tao-tidied 0\n'
  for script in $(find sbatch -maxdepth 1 -name 'job_*.sbatch' -mmin "+$keep" 2> /dev/null | sort); do
    tidy_job "$script"
    [ -z "$more" ] || break
  done
  [ -n "$dry" ] || find slurm-logs -maxdepth 1 -name 'sqsh-[0-9]*.log' -mmin "+$keep" -exec rm -f -- {} + 2> /dev/null
  (code_tidy)
  [ -z "$more" ] || printf 'tao-more 0\n'
  [ -n "$dry$more" ] || { printf '' > leases/.tidied; } 2> /dev/null
  printf 'tao-end 0\n'
}
tidy
