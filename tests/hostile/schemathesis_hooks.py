"""What schemathesis has to be told of this API; it reads this file, and nobody else does."""

import json

import schemathesis


@schemathesis.hook
def before_load_schema(_context, schema):
    """Where any content type will do, a client says one. The lines of NDJSON have a description of their own (`x-line`), and so have the
    events of a stream (`x-events`), where the description has the whole answer and schemathesis an event."""
    operations = [operation for path in schema["paths"].values() for operation in path.values() if isinstance(operation, dict)]
    for operation in operations:
        stream = operation["responses"].get("200", {}).get("content", {}).get("text/event-stream")
        if stream:
            properties = {"event": {"enum": list(stream["x-events"])}, "data": {"type": "string", "minLength": 2}}
            stream["schema"] = {"type": "object", "required": list(properties), "properties": properties}
        content = operation.get("requestBody", {}).get("content", {})
        if "*/*" in content:
            content["text/plain"] = content.pop("*/*")
        for media in content.values():
            if "x-line" in media:
                media["schema"] = {"type": "array", "items": media["x-line"], "maxItems": 20}
                media.pop("example", None)


@schemathesis.serializer("application/x-ndjson")
def lines_of(_context, value):
    lines = value if isinstance(value, list) else [value]
    return "".join(json.dumps(line) + "\n" for line in lines).encode()
