package io.jenkins.plugins.tao.bind;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.deser.Deserializers;
import com.fasterxml.jackson.databind.deser.ValueInstantiator;
import com.fasterxml.jackson.databind.deser.ValueInstantiators;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.deser.std.StdValueInstantiator;
import com.fasterxml.jackson.databind.jsontype.TypeDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import io.jenkins.plugins.tao.job.Durations;
import java.io.IOException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Teaches Jackson the types of our records: words, values left open, and what is absent. */
final class RecordModule extends SimpleModule {
    private static final long serialVersionUID = 1L;

    private final transient Words words;

    RecordModule(Words words) {
        this.words = words;
    }

    @Override
    public void setupModule(SetupContext context) {
        super.setupModule(context);
        context.addDeserializers(new Types(words));
        context.addValueInstantiators(new ValueInstantiators.Base() {
            @Override
            public ValueInstantiator findValueInstantiator(
                    DeserializationConfig config, BeanDescription description, ValueInstantiator usual) {
                return description.getBeanClass().isRecord()
                        ? new OfRecord((StdValueInstantiator) usual, description.getBeanClass())
                        : usual;
            }
        });
    }

    private static Object noWord(String text) {
        throw new IllegalArgumentException("no text stands for this value");
    }

    /** Which types are words. */
    private static final class Types extends Deserializers.Base {
        private final Words words;

        Types(Words words) {
            this.words = words;
        }

        @Override
        public @Nullable JsonDeserializer<?> findBeanDeserializer(
                JavaType type, DeserializationConfig config, BeanDescription description) {
            Class<?> raw = type.getRawClass();
            if (type.isJavaLangObject()) {
                return new FreeValues();
            }
            boolean ready = !raw.isRecord()
                    && !raw.getName().startsWith("java.")
                    && words.reader(raw).isEmpty();
            return ready ? new Word(raw, RecordModule::noWord) : word(raw);
        }

        @Override
        public @Nullable JsonDeserializer<?> findEnumDeserializer(
                Class<?> type, DeserializationConfig config, BeanDescription description) {
            return word(type);
        }

        @Override
        public @Nullable JsonDeserializer<?> findReferenceDeserializer(
                com.fasterxml.jackson.databind.type.ReferenceType type,
                DeserializationConfig config,
                BeanDescription description,
                @Nullable TypeDeserializer polymorphic,
                @Nullable JsonDeserializer<?> content) {
            return word(type.getRawClass());
        }

        private @Nullable JsonDeserializer<?> word(Class<?> type) {
            return words.reader(type).map(reader -> new Word(type, reader)).orElse(null);
        }
    }

    /** Reads one word, or takes a value that is ready. */
    private static final class Word extends StdScalarDeserializer<Object> {
        private static final long serialVersionUID = 1L;

        private final transient Function<String, ?> reader;

        Word(Class<?> type, Function<String, ?> reader) {
            super(type);
            this.reader = reader;
        }

        @Override
        public Object deserialize(JsonParser parser, DeserializationContext context) throws IOException {
            JsonToken token = parser.currentToken();
            if (!token.isScalarValue()) {
                boolean time = handledType() == java.time.Duration.class;
                String found = token == JsonToken.START_ARRAY ? "a list" : "a mapping";
                throw Misfit.shape(time ? "be " + Durations.FORM : "be a single value", found);
            }
            Object given = token == JsonToken.VALUE_EMBEDDED_OBJECT ? parser.getEmbeddedObject() : parser.getText();
            if (handledType().isInstance(given)) {
                return given;
            }
            return read(parser, String.valueOf(given));
        }

        private Object read(JsonParser parser, String text) throws Misfit {
            try {
                return reader.apply(text);
            } catch (WrongWord e) {
                throw Misfit.expected(parser, e, text);
            } catch (IllegalArgumentException e) {
                throw Misfit.refused(parser, e);
            }
        }

        /** A text without a value is an empty one, as in {@code env: {DEBUG: }}. */
        @Override
        public @Nullable Object getNullValue(DeserializationContext context) {
            return handledType() == String.class ? "" : null;
        }

        @Override
        public @Nullable Object getAbsentValue(DeserializationContext context) {
            return null;
        }
    }

    /** Makes records; what is absent is as {@link Absent} says. */
    private static final class OfRecord extends StdValueInstantiator {
        private static final long serialVersionUID = 1L;

        private final Class<?> type;

        OfRecord(StdValueInstantiator usual, Class<?> type) {
            super(usual);
            this.type = type;
        }

        @Override
        public Object createFromObjectWith(DeserializationContext context, @Nullable Object[] arguments)
                throws IOException {
            JsonParser parser = context.getParser();
            Absent absent = new Absent(type);
            for (int i = 0; i < arguments.length; i++) {
                if (arguments[i] == null) {
                    arguments[i] = absent.value(parser, i);
                }
            }
            try {
                return _withArgsCreator.call(arguments);
            } catch (Exception e) { // Jackson's own signature
                Throwable cause = e.getCause() == null ? e : e.getCause();
                if (cause instanceof IllegalArgumentException) {
                    throw Misfit.whole(parser, String.valueOf(cause.getMessage()), cause);
                }
                throw new IllegalStateException(type + " fails with more than a wrong argument", e);
            }
        }
    }
}
