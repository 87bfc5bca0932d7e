package net.sf.json;

public final class JSONObject {
    private JSONObject() {}
}
