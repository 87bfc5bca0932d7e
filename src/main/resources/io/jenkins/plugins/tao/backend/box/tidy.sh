# Removes code that no job of this box uses; what it does it reports in lines. Expects tao_base and what code-tidy.sh expects.
# Code counts as used by each job that has an attempt without an end.
code_used() {
  [ -d "$tao_base/jobs" ] || return 0
  for tao_file in "$tao_base"/jobs/*/work; do
    [ -f "$tao_file" ] || continue
    tao_job=${tao_file%/*}
    tao_last=$(ls -d "$tao_job"/attempt-* 2> /dev/null | sort -t- -k2 -n | tail -n 1)
    [ -n "$tao_last" ] && [ -e "$tao_last/exit" ] && continue
    sed 's|.*/||' "$tao_file"
  done
}
code_tidy
echo tidied
