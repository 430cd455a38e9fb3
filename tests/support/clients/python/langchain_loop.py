"""An agent loop of LangChain: class, base URL, key, model and prompt as arguments; prints the last text."""
import sys
from pathlib import Path

from langchain_core.messages import HumanMessage, ToolMessage
from langchain_core.tools import tool

kind, base, key, model, prompt = sys.argv[1:]


@tool
def read_file(path: str) -> str:
    """Read a file."""
    return Path(path).read_text()


@tool
def write_file(path: str, content: str) -> str:
    """Write a file."""
    Path(path).write_text(content)
    return "written"


def model_of():
    if kind == "openai":
        from langchain_openai import ChatOpenAI

        return ChatOpenAI(model=model, base_url=f"{base}/v1", api_key=key, stream_usage=True)
    if kind == "anthropic":
        from langchain_anthropic import ChatAnthropic

        return ChatAnthropic(model=model, base_url=base, api_key=key, max_tokens=8000)
    from langchain_google_genai import ChatGoogleGenerativeAI

    return ChatGoogleGenerativeAI(model=model, base_url=base, google_api_key=key)


tools = {one.name: one for one in (read_file, write_file)}
chat = model_of().bind_tools(list(tools.values()))
messages = [HumanMessage(prompt)]
while True:
    answer = None
    for chunk in chat.stream(messages):
        answer = chunk if answer is None else answer + chunk
    messages.append(answer)
    if not answer.tool_calls:
        break
    for call in answer.tool_calls:
        result = tools[call["name"]].invoke(call["args"])
        messages.append(ToolMessage(result, tool_call_id=call["id"], name=call["name"]))
print(answer.text if isinstance(answer.text, str) else answer.text())
