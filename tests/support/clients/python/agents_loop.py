"""An agent loop of OpenAI Agents: API, base URL, key, model and prompt as arguments; prints the last text."""
import asyncio
import sys
from pathlib import Path

from agents import Agent, OpenAIChatCompletionsModel, OpenAIResponsesModel, Runner, function_tool, set_tracing_disabled
from openai import AsyncOpenAI

kind, base, key, model, prompt = sys.argv[1:]
set_tracing_disabled(True)


@function_tool
def read_file(path: str) -> str:
    """Read a file."""
    return Path(path).read_text()


@function_tool
def write_file(path: str, content: str) -> str:
    """Write a file."""
    Path(path).write_text(content)
    return "written"


async def main():
    client = AsyncOpenAI(base_url=f"{base}/v1", api_key=key)
    models = {"chat": OpenAIChatCompletionsModel, "responses": OpenAIResponsesModel}
    agent = Agent(name="files", tools=[read_file, write_file], model=models[kind](model, openai_client=client))
    run = Runner.run_streamed(agent, prompt)
    async for _ in run.stream_events():
        pass
    print(run.final_output)


asyncio.run(main())
