package io.jenkins.plugins.tao.backend.slurm.networks;

import static io.jenkins.plugins.tao.job.Require.require;

import io.jenkins.plugins.tao.job.JobSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * How a Cosmos-RL job on several nodes is laid out: policy nodes first, rollout nodes after them, the controller beside
 * the first policy. The numbers follow from {@code parallelism} in its spec, as Cosmos-RL's own launcher for Slurm
 * derives them; the launcher in the container reads the variables.
 *
 * @param policy what runs on each policy node
 * @param rollout what runs on each rollout node; empty for supervised fine-tuning
 */
public record CosmosRoles(List<List<Replica>> policy, List<List<Replica>> rollout) {
    static final String CONTROLLER_PORT = "8082";
    private static final Pattern COMMAND = Pattern.compile("\\s*cosmos-rl\\b.*", Pattern.DOTALL);
    private static final int RENDEZVOUS_PORT = 29345;

    /** A copy of a model, or its part on one node, with the GPUs it sees there. */
    record Replica(int nodes, String role, int rendezvousNode, int rendezvousPort, List<Integer> gpus) {
        private Map<String, Object> json() {
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("nnode", nodes);
            json.put("role", role);
            json.put("rendezvous_node", rendezvousNode);
            json.put("rendezvous_port", rendezvousPort);
            json.put("visible_gpus", gpus);
            return json;
        }
    }

    /** The roles, when the command is {@code cosmos-rl} and more than one node is asked for. */
    public static Optional<CosmosRoles> of(JobSpec job, int gpusPerNode) {
        if (job.resources().nodes() < 2
                || gpusPerNode < 1
                || !COMMAND.matcher(job.command()).matches()) {
            return Optional.empty();
        }
        Map<?, ?> policy = section(section(job.spec(), "policy"), "parallelism");
        Map<?, ?> rollout = section(section(job.spec(), "rollout"), "parallelism");
        Object type = section(section(job.spec(), "train"), "train_policy").get("type");
        int policyGpus = product(policy, "tp_size", "pp_size", "cp_size", "dp_replicate_size", "dp_shard_size");
        return Optional.of(new CosmosRoles(
                place("policy", policyGpus, number(policy, "n_init_replicas"), gpusPerNode),
                "sft".equals(type)
                        ? List.of()
                        : place(
                                "rollout",
                                product(rollout, "tp_size", "pp_size"),
                                number(rollout, "n_init_replicas"),
                                gpusPerNode)));
    }

    public int nodes() {
        return policy.size() + rollout.size();
    }

    /** What the launcher in the container wants to know before any node is. */
    public Map<String, String> exports() {
        Map<String, String> exports = new LinkedHashMap<>();
        exports.put("COSMOS_RL_MULTINODE", "1");
        exports.put("NUM_POLICY_NODES", Integer.toString(policy.size()));
        exports.put("NUM_ROLLOUT_NODES", Integer.toString(rollout.size()));
        exports.put("TOTAL_NODES", Integer.toString(nodes()));
        exports.put("NODE_LAUNCH_METADATA_POLICY", metadata(policy));
        exports.put("NODE_LAUNCH_METADATA_ROLLOUT", metadata(rollout));
        exports.put("CONTROLLER_PORT", CONTROLLER_PORT);
        return exports;
    }

    private static String metadata(List<List<Replica>> nodes) {
        List<String> each = nodes.stream()
                .map(replicas -> SlurmJson.compact(Map.of(
                        "colocation", replicas.stream().map(Replica::json).toList())))
                .toList();
        return "[" + String.join(",", each) + "]";
    }

    private static List<List<Replica>> place(String role, int gpus, int replicas, int gpusPerNode) {
        require(
                gpus < gpusPerNode || gpus % gpusPerNode == 0,
                "a %s replica of cosmos-rl takes %d GPUs, which fill no whole number of nodes of %d GPUs",
                role,
                gpus,
                gpusPerNode);
        return gpus >= gpusPerNode
                ? spread(role, gpus / gpusPerNode, replicas, gpusPerNode)
                : pack(role, gpus, replicas, gpusPerNode);
    }

    private static List<List<Replica>> spread(String role, int nodesEach, int replicas, int gpusPerNode) {
        return IntStream.range(0, nodesEach * replicas)
                .mapToObj(node -> List.of(
                        new Replica(nodesEach, role, node - node % nodesEach, RENDEZVOUS_PORT, gpus(0, gpusPerNode))))
                .toList();
    }

    private static List<List<Replica>> pack(String role, int gpus, int replicas, int gpusPerNode) {
        int each = gpusPerNode / gpus;
        List<List<Replica>> nodes = new ArrayList<>();
        for (int replica = 0; replica < replicas; replica++) {
            int place = replica % each;
            if (place == 0) {
                nodes.add(new ArrayList<>());
            }
            int node = nodes.size() - 1;
            nodes.get(node)
                    .add(new Replica(1, role, node, RENDEZVOUS_PORT + replica, gpus(place * gpus, (place + 1) * gpus)));
        }
        return nodes.stream().map(List::copyOf).toList();
    }

    private static List<Integer> gpus(int from, int to) {
        return IntStream.range(from, to).boxed().toList();
    }

    private static int product(Map<?, ?> section, String... keys) {
        int product = 1;
        for (String key : keys) {
            product *= number(section, key);
        }
        return product;
    }

    /** 1 where nothing usable stands: sizes of -1 are left to Cosmos-RL. */
    private static int number(Map<?, ?> section, String key) {
        return section.get(key) instanceof Number number && number.intValue() >= 1 ? number.intValue() : 1;
    }

    private static Map<?, ?> section(Map<?, ?> map, String key) {
        return map.get(key) instanceof Map<?, ?> section ? section : Map.of();
    }
}
