import { tencent as format } from '../../../src/formats/tencent/index.ts'
import { answerSchema, citySchema, type Json, picture, unnamed } from './sse.ts'
import type { UpstreamWire } from './upstream-wire.ts'

const question = { Role: 'user', Content: 'What is 2 + 2?' }

const call = (Id: string, city: string, Index: number, Name = 'weather') => ({
  Id,
  Type: 'function',
  Function: { Name, Arguments: JSON.stringify({ city }) },
  Index,
})

const request = (Messages: Json[], fields: Json = {}): Json => ({ Model: 'm', Messages, Stream: false, ...fields })

const instruction =
  'Answer with one JSON object and nothing else: no explanation, no code fence. It must match this JSON schema.'

const requests: UpstreamWire['requests'] = {
  text: request(
    [
      { Role: 'system', Content: 'Be brief.' },
      { Role: 'user', Content: 'Hi' },
      { Role: 'assistant', Content: 'Hello.' },
      question,
    ],
    { Temperature: 0.5, TopP: 0.9 },
  ),
  tools: request(
    [
      { Role: 'user', Content: 'Weather in Paris and Rome?' },
      { Role: 'assistant', Content: '', ToolCalls: [call('call_a', 'Paris', 0), call('call_b', 'Rome', 1)] },
      { Role: 'tool', Content: 'Sunny', ToolCallId: 'call_a' },
      { Role: 'tool', Content: '{"sky":"grey"}', ToolCallId: 'call_b' },
    ],
    {
      Tools: [
        {
          Type: 'function',
          Function: { Name: 'weather', Parameters: JSON.stringify(citySchema), Description: 'The weather' },
        },
        { Type: 'function', Function: { Name: 'now', Parameters: '{"type":"object","properties":{}}' } },
      ],
      ToolChoice: 'auto',
    },
  ),
  image: request([
    {
      Role: 'user',
      Contents: [
        { Type: 'text', Text: 'What is this?' },
        { Type: 'image_url', ImageUrl: { Url: `data:image/png;base64,${picture}` } },
      ],
    },
  ]),
  schema: request([{ Role: 'system', Content: `${instruction}\n${JSON.stringify(answerSchema)}` }, question]),
  thinking: request([question], { EnableThinking: true }),
  stop: request([question], { Stop: ['END', 'Over.'] }),
}

const usage = (PromptTokens: number, CompletionTokens: number, cached = 0) => ({
  PromptTokens,
  CompletionTokens,
  TotalTokens: PromptTokens + CompletionTokens,
  ...(cached && { PromptTokensDetails: { CachedTokens: cached } }),
})

const answer = (message: Json, FinishReason: string, Usage: Json): Json => ({
  Response: {
    RequestId: 'req-1',
    Note: 'Made by a model',
    Id: 'tc-1',
    Created: 1_700_000_000,
    Choices: [{ Index: 0, FinishReason, Message: { Role: 'assistant', Content: '', ...message } }],
    Usage,
  },
})

const calls = [call('call_1', 'Oslo', 0), call('call_2', 'Bergen', 1)]

const answers: UpstreamWire['answers'] = {
  text: answer({ Content: 'Four 四.' }, 'stop', usage(22, 5, 4)),
  tools: answer({ Content: 'I look.', ToolCalls: calls }, 'tool_calls', usage(80, 30)),
  image: answer({ Content: 'A dot.' }, 'stop', usage(800, 3)),
  schema: answer({ Content: '{"answer":4,"sure":true}' }, 'stop', usage(50, 9)),
  thinking: answer({ Content: 'Four.', ReasoningContent: 'Two and two.' }, 'stop', usage(30, 60)),
  stop: answer({ Content: 'Four' }, 'stop', usage(20, 1)),
}

const event = (delta: Json, Usage: Json, FinishReason = ''): Json => ({
  Note: 'Made by a model',
  Id: 'tc-1',
  Created: 1_700_000_000,
  Choices: [{ Index: 0, Delta: { Role: 'assistant', Content: '', ...delta }, FinishReason }],
  Usage,
})

/** The usage so far stands in every event. */
const stream = (deltas: Json[], reason: string, used: Json): string =>
  unnamed([...deltas.map(delta => event(delta, { ...used, CompletionTokens: 1 })), event({}, used, reason)])

const words = (...texts: string[]) => texts.map(Content => ({ Content }))

const fragment = (Id: string, Index: number, Name: string, Arguments: string) => ({
  ToolCalls: [{ Id, Type: 'function', Function: { Name, Arguments }, Index }],
})

const streams: UpstreamWire['streams'] = {
  text: stream(words('Four', ' 四', '.'), 'stop', usage(22, 5, 4)),
  tools: stream(
    [
      ...words('I ', 'look.'),
      fragment('call_1', 0, 'weather', ''),
      fragment('call_1', 0, '', '{"city":'),
      fragment('call_1', 0, '', '"Oslo"}'),
      fragment('call_2', 1, 'weather', '{"city":"Bergen"}'),
    ],
    'tool_calls',
    usage(80, 30),
  ),
  image: stream(words('A dot.'), 'stop', usage(800, 3)),
  schema: stream(words('{"answer":4', ',"sure":true}'), 'stop', usage(50, 9)),
  thinking: stream(
    [{ ReasoningContent: 'Two and' }, { ReasoningContent: ' two.' }, ...words('Four.')],
    'stop',
    usage(30, 60),
  ),
  stop: stream(words('Four'), 'stop', usage(20, 1)),
}

export const tencent: UpstreamWire = {
  title: 'Tencent Hunyuan',
  format,
  model: 'm',
  requests,
  answers,
  streams,
  errors: {
    status: 200,
    body: { Response: { Error: { Code: 'RequestLimitExceeded', Message: 'Slow down' }, RequestId: 'req-1' } },
    stream: unnamed([event({}, usage(1, 0)), { Response: { Error: { Code: 'LimitExceeded', Message: 'Slow down' } } }]),
  },
  ids: ['Id', 'ToolCallId'],
  unsaid: { gemini: ['additionalProperties'], 'openai-responses': ['Stop'] },
}
