import { answerSchema, citySchema, type Json, named, picture, type Wire } from './sse.ts'

const said = (text: string) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] })
const question = said('What is 2 + 2?')

const call = (call_id: string, city: string) => ({
  type: 'function_call',
  call_id,
  name: 'weather',
  arguments: `{"city":"${city}"}`,
})

const requests: Wire['requests'] = {
  text: {
    model: 'm',
    instructions: 'Be brief.',
    input: [
      said('Hi'),
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hello.', annotations: [] }] },
      question,
    ],
    max_output_tokens: 100,
    temperature: 0.5,
    top_p: 0.9,
    user: 'ann',
  },
  tools: {
    model: 'm',
    input: [
      said('Weather in Paris and Rome?'),
      call('call_a', 'Paris'),
      call('call_b', 'Rome'),
      { type: 'function_call_output', call_id: 'call_a', output: 'Sunny' },
      { type: 'function_call_output', call_id: 'call_b', output: '{"sky":"grey"}' },
    ],
    max_output_tokens: 100,
    tools: [
      { type: 'function', name: 'weather', description: 'The weather', parameters: citySchema, strict: true },
      { type: 'function', name: 'now', parameters: { type: 'object', properties: {} }, strict: false },
    ],
    tool_choice: 'required',
  },
  image: {
    model: 'm',
    input: [
      {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_text', text: 'What is this?' },
          { type: 'input_image', image_url: `data:image/png;base64,${picture}`, detail: 'auto' },
        ],
      },
    ],
    max_output_tokens: 100,
  },
  schema: {
    model: 'm',
    input: [question],
    max_output_tokens: 100,
    text: { format: { type: 'json_schema', name: 'answer', schema: answerSchema, strict: true } },
  },
  thinking: {
    model: 'm',
    input: [question],
    max_output_tokens: 40_000,
    reasoning: { effort: 'high', summary: 'auto' },
    include: ['reasoning.encrypted_content'],
  },
  // There are no stop sequences here.
  stop: { model: 'm', input: [question], max_output_tokens: 100 },
}

const usage = (input_tokens: number, output_tokens: number, cached_tokens = 0, reasoning_tokens = 0): Json => ({
  input_tokens,
  input_tokens_details: { cached_tokens },
  output_tokens,
  output_tokens_details: { reasoning_tokens },
  total_tokens: input_tokens + output_tokens,
})

const message = (text: string, id = 'msg_req1_0') => ({
  type: 'message',
  id,
  status: 'completed',
  role: 'assistant',
  content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
})
const calling = (id: string, city: string) => ({
  ...call(`call_${id}`, city),
  id: `fc_req1_${id}`,
  status: 'completed',
})
const thought = {
  type: 'reasoning',
  id: 'rs_1',
  summary: [{ type: 'summary_text', text: 'Two and two.' }],
  encrypted_content: 'c2ln',
}

const response = (status: string, output: Json[], used: Json | null): Json => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1_700_000_000,
  model: 'm',
  status,
  error: null,
  incomplete_details: null,
  instructions: null,
  metadata: {},
  parallel_tool_calls: true,
  temperature: 1,
  tool_choice: 'auto',
  tools: [],
  top_p: 1,
  output,
  usage: used,
})

const outputs: Record<keyof Wire['answers'], [Json[], Json]> = {
  text: [[message('Four 四.')], usage(22, 5, 4)],
  tools: [[message('I look.'), calling('1', 'Oslo'), calling('2', 'Bergen')], usage(80, 30)],
  image: [[message('A dot.')], usage(800, 3)],
  schema: [[message('{"answer":4,"sure":true}')], usage(50, 9)],
  thinking: [[thought, message('Four.', 'msg_req1_1')], usage(30, 60, 0, 40)],
  stop: [[message('Four')], usage(20, 1)],
}

const each = <T>(make: (output: Json[], used: Json, pieces: string[]) => T) => {
  const pieces: Record<string, string[]> = {
    text: ['Four', ' 四', '.'],
    tools: ['I ', 'look.'],
    schema: ['{"answer":4', ',"sure":true}'],
  }
  const made = Object.entries(outputs).map(([feature, [output, used]]) => [
    feature,
    make(output, used, pieces[feature] ?? []),
  ])
  return Object.fromEntries(made) as Record<keyof Wire['answers'], T>
}

function itemEvents(item: Json, output_index: number, pieces: string[]): Json[] {
  const at = { item_id: item.id, output_index }
  const done = { type: 'response.output_item.done', output_index, item }
  const added = (begun: Json) => ({ type: 'response.output_item.added', output_index, item: { ...item, ...begun } })
  if (item.type === 'message') {
    const [part] = item.content as Json[]
    const deltas = pieces.length ? pieces : [String(part!.text)]
    const where = { ...at, content_index: 0 }
    return [
      added({ status: 'in_progress', content: [] }),
      { type: 'response.content_part.added', ...where, part: { ...part, text: '' } },
      ...deltas.map(delta => ({ type: 'response.output_text.delta', ...where, delta, logprobs: [] })),
      { type: 'response.output_text.done', ...where, text: part!.text, logprobs: [] },
      { type: 'response.content_part.done', ...where, part },
      done,
    ]
  }
  if (item.type === 'function_call') {
    const text = String(item.arguments)
    const deltas = [text.slice(0, 8), text.slice(8)]
    return [
      added({ status: 'in_progress', arguments: '' }),
      ...deltas.map(delta => ({ type: 'response.function_call_arguments.delta', ...at, delta })),
      { type: 'response.function_call_arguments.done', ...at, name: item.name, arguments: text },
      done,
    ]
  }
  const where = { ...at, summary_index: 0 }
  const [part] = item.summary as Json[]
  return [
    added({ summary: [], encrypted_content: undefined }),
    { type: 'response.reasoning_summary_part.added', ...where, part: { ...part, text: '' } },
    ...['Two and', ' two.'].map(delta => ({ type: 'response.reasoning_summary_text.delta', ...where, delta })),
    { type: 'response.reasoning_summary_text.done', ...where, text: part!.text },
    { type: 'response.reasoning_summary_part.done', ...where, part },
    done,
  ]
}

function stream(output: Json[], used: Json, pieces: string[]): string {
  const begun = response('in_progress', [], null)
  const events: Json[] = [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    ...output.flatMap((item, index) => itemEvents(item, index, pieces)),
    { type: 'response.completed', response: response('completed', output, used) },
  ]
  return named(events.map((event, sequence_number) => ({ ...event, sequence_number })))
}

const error = { error: { message: 'Slow down', type: 'rate_limit_error', param: null, code: 'rate_limit_exceeded' } }

export const openAiResponses: Wire = {
  requests,
  answers: each((output, used) => response('completed', output, used)),
  streams: each(stream),
  errors: {
    status: 429,
    body: error,
    stream: named([
      { type: 'response.created', response: response('in_progress', [], null) },
      { type: 'error', code: 'rate_limit_exceeded', message: 'Slow down', param: null, sequence_number: 1 },
    ]),
  },
}
