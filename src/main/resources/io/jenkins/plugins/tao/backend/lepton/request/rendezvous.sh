# Where the workers of a job meet, from what Lepton tells each of them.
if [ -n "${LEPTON_JOB_TOTAL_WORKERS:-}" ]; then
  tao_prefix=${LEPTON_JOB_WORKER_PREFIX:-${LEPTON_JOB_SERVICE_PREFIX:-$LEPTON_JOB_NAME}}
  tao_domain=${LEPTON_SUBDOMAIN:-$LEPTON_JOB_NAME-job-svc}
  MASTER_ADDR=$tao_prefix-0.$tao_domain
  MASTER_PORT=29400
  NNODES=$LEPTON_JOB_TOTAL_WORKERS
  NODE_RANK=${LEPTON_JOB_WORKER_INDEX:-0}
  WORKER_ADDRS=
  tao_worker=1
  while [ "$tao_worker" -lt "$NNODES" ]; do
    WORKER_ADDRS=$WORKER_ADDRS${WORKER_ADDRS:+,}$tao_prefix-$tao_worker.$tao_domain
    tao_worker=$((tao_worker + 1))
  done
  export MASTER_ADDR MASTER_PORT NNODES NODE_RANK WORKER_ADDRS
fi
