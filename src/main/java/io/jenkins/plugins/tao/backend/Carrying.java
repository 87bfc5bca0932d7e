package io.jenkins.plugins.tao.backend;

import java.util.Map;

/** What a kind of backend offers besides whose jobs can have members that each find their index, logs, results and exit code of their own. */
public interface Carrying {
    /** The environment variable in which a member finds its index. */
    String indexVariable();

    /**
     * The options of a job that give it members.
     *
     * @param count how many; their indices begin at 0
     * @param most how many run at a time
     * @return values by name
     */
    Map<String, String> members(int count, int most);
}
