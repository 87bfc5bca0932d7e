# Slurm's commands as our scripts call them; goes before each script. Expects tao_cluster (empty for the login host's own). Of the login's
# environment only what finds the cluster counts: SBATCH_* wins over the lines of a script, SQUEUE_* and the like hide jobs, and all of it
# would travel into the job. Each is named in the section "environment" of the manual pages of sbatch, squeue, sacct, sinfo, scontrol,
# scancel and srun. SLURM_CLUSTERS becomes an option, for sacct does not know it. A shell function of a login may have the name of a command.
tao_drop_variables() {
  tao_cluster=${tao_cluster:-${SLURM_CLUSTERS-}}
  case $tao_cluster in all | *[!A-Za-z0-9._@+-]*) tao_cluster= ;; esac
  tao_dropped=
  set -f
  IFS='
'
  for tao_name in $(set); do
    tao_name=${tao_name%%=*}
    case $tao_name in
      *[!A-Za-z0-9_]*) continue ;;
      SLURM_CONF | SLURM_CONF_SERVER | SLURM_JWT | SLURM_SACK_* | SLURM_ROOT | SLURM_HOME | SLURM_DIR | SLURM_PREFIX | SLURM_BIN*) continue ;;
      SLURM_* | SBATCH_* | SALLOC_* | SRUN_* | SQUEUE_* | SACCT_* | SINFO_* | SCONTROL_* | SCANCEL_* | SPRIO_* | SSTAT_* | SSHARE_* | SREPORT_* | STRIGGER_* | SATTACH_*) ;;
      *) continue ;;
    esac
    unset "$tao_name"
    case $tao_name in SBATCH_*) tao_dropped="$tao_dropped $tao_name" ;; esac
  done
  unset IFS
  set +f
}
tao_drop_variables
unalias -a 2> /dev/null
unset -f sbatch squeue sacct scancel scontrol sinfo srun sstat
sbatch() { command sbatch ${tao_cluster:+"--clusters=$tao_cluster"} "$@"; }
squeue() { command squeue ${tao_cluster:+"--clusters=$tao_cluster"} "$@"; }
sacct() { command sacct ${tao_cluster:+"--clusters=$tao_cluster"} "$@"; }
scancel() { command scancel ${tao_cluster:+"--clusters=$tao_cluster"} "$@"; }
scontrol() { command scontrol ${tao_cluster:+"--clusters=$tao_cluster"} "$@"; }
sinfo() { command sinfo ${tao_cluster:+"--clusters=$tao_cluster"} "$@"; }
