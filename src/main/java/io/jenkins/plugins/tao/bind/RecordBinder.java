package io.jenkins.plugins.tao.bind;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonMappingException.Reference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes records of keys and values, strictly: each key is a component's name, an unknown one is an error. A component
 * that is itself a record and not written as one word is a group: its keys stand beside the others.
 */
public final class RecordBinder {
    private static final RecordBinder PLAIN = new RecordBinder(Map.of());
    private static final String NO_JSON = "A tree of values is always JSON.";

    private final Words words;
    private final ObjectMapper mapper;

    /**
     * A binder.
     *
     * @param own how the door reads types that mean something else for each door, such as paths
     */
    public RecordBinder(Map<Class<?>, Function<String, ?>> own) {
        words = new Words(own);
        mapper = JsonMapper.builder()
                .enable(DeserializationFeature.ACCEPT_SINGLE_VALUE_AS_ARRAY)
                .addModule(new Jdk8Module().configureReadAbsentAsNull(true))
                .addModule(new RecordModule(words))
                .build();
    }

    /** The {@code record} of which nothing is said. */
    public static <R> R empty(Class<R> record) {
        return PLAIN.bind(Map.of(), Map.of(), record);
    }

    /** What is given, where that is a {@code record}; else the one of which nothing is said. */
    public static <R> R given(Optional<?> given, Class<R> record) {
        return given.filter(record::isInstance).map(record::cast).orElseGet(() -> empty(record));
    }

    /**
     * Makes a {@code record}.
     *
     * @param fields texts, {@link Unquoted} scalars, numbers, truth values, lists, maps, null, or values ready for a component
     * @param given components that are ready and that no field may give, by name
     * @throws BindException if a key is unknown or missing, or a value is wrong
     */
    public <R> R bind(Map<String, ? extends @Nullable Object> fields, Map<String, ?> given, Class<R> record) {
        Tree tree = new Tree(words);
        try {
            return mapper.treeToValue(tree.of(fields, given, record), record);
        } catch (JsonMappingException e) {
            throw explained(e);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(NO_JSON, e);
        }
    }

    /**
     * Reads one field as its component's type, without the checks that the record makes.
     *
     * @throws BindException if the value is wrong
     */
    public void check(String key, Object value, Class<?> record) {
        Tree tree = new Tree(words);
        RecordComponent component =
                Objects.requireNonNull(tree.components(record).get(key), key);
        try {
            JavaType type = mapper.constructType(component.getGenericType());
            var unused = mapper.readerFor(type).<Object>readValue(tree.of(key, value, component));
        } catch (JsonMappingException e) {
            e.prependPath(record, key);
            throw explained(e);
        } catch (IOException e) {
            throw new IllegalStateException(NO_JSON, e);
        }
    }

    /** The keys that {@link #bind} knows for {@code record}, in the order of their declaration, those of its groups too. */
    public Map<String, RecordComponent> components(Class<?> record) {
        return new Tree(words).components(record);
    }

    /** The keys of {@link #components}. */
    public List<String> keys(Class<?> record) {
        return List.copyOf(components(record).keySet());
    }

    private static BindException explained(JsonMappingException wrong) {
        List<String> path = wrong.getPath().stream().map(RecordBinder::step).toList();
        if (wrong instanceof Misfit misfit) {
            return misfit.at(path);
        }
        if (wrong instanceof MismatchedInputException) {
            boolean list = wrong.getProcessor() instanceof JsonParser parser && parser.isExpectedStartArrayToken();
            return Misfit.shape("hold keys and values", list ? "a list" : "a single value")
                    .at(path);
        }
        throw new IllegalStateException("Jackson cannot make this record.", wrong);
    }

    private static String step(Reference step) {
        return step.getFieldName() == null ? String.valueOf(step.getIndex()) : step.getFieldName();
    }
}
