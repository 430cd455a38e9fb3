import { type Json, openAnswerSchema, openCitySchema, picture, unnamed, type Wire } from './sse.ts'

const question = { role: 'user', parts: [{ text: 'What is 2 + 2?' }] }

const requests: Wire['requests'] = {
  text: {
    systemInstruction: { parts: [{ text: 'Be brief.' }] },
    contents: [{ role: 'user', parts: [{ text: 'Hi' }] }, { role: 'model', parts: [{ text: 'Hello.' }] }, question],
    generationConfig: { temperature: 0.5, topP: 0.9, maxOutputTokens: 100 },
  },
  tools: {
    contents: [
      { role: 'user', parts: [{ text: 'Weather in Paris and Rome?' }] },
      {
        role: 'model',
        parts: [
          { functionCall: { name: 'weather', args: { city: 'Paris' } } },
          { functionCall: { name: 'weather', args: { city: 'Rome' } } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { name: 'weather', response: { result: 'Sunny' } } },
          { functionResponse: { name: 'weather', response: { sky: 'grey' } } },
        ],
      },
    ],
    tools: [
      {
        functionDeclarations: [
          { name: 'weather', description: 'The weather', parameters: openCitySchema },
          { name: 'now' },
        ],
      },
    ],
    toolConfig: { functionCallingConfig: { mode: 'ANY' } },
    generationConfig: { maxOutputTokens: 100 },
  },
  image: {
    contents: [
      { role: 'user', parts: [{ text: 'What is this?' }, { inlineData: { mimeType: 'image/png', data: picture } }] },
    ],
    generationConfig: { maxOutputTokens: 100 },
  },
  schema: {
    contents: [question],
    generationConfig: {
      maxOutputTokens: 100,
      responseMimeType: 'application/json',
      responseSchema: openAnswerSchema,
    },
  },
  thinking: {
    contents: [question],
    generationConfig: { maxOutputTokens: 40_000, thinkingConfig: { includeThoughts: true, thinkingBudget: 24_576 } },
  },
  stop: { contents: [question], generationConfig: { maxOutputTokens: 100, stopSequences: ['END', 'Over.'] } },
}

const usage = (prompt: number, candidatesTokenCount: number, cached = 0, thoughts = 0): Json => ({
  promptTokenCount: prompt,
  ...(cached && { cachedContentTokenCount: cached }),
  candidatesTokenCount,
  ...(thoughts && { thoughtsTokenCount: thoughts }),
  totalTokenCount: prompt + candidatesTokenCount + thoughts,
  promptTokensDetails: [{ modality: 'TEXT', tokenCount: prompt - cached }],
  ...(cached && { cacheTokensDetails: [{ modality: 'TEXT', tokenCount: cached }] }),
  candidatesTokensDetails: [{ modality: 'TEXT', tokenCount: candidatesTokenCount }],
})

const head = { modelVersion: 'm', responseId: 'gemini-1' }

const answer = (parts: Json[], used: Json): Json => ({
  candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
  usageMetadata: used,
  ...head,
})

const call = (id: string, city: string) => ({ functionCall: { id, name: 'weather', args: { city } } })
const thought = (text: string, rest: Json = {}) => ({ text, thought: true, ...rest })

const answers: Wire['answers'] = {
  text: answer([{ text: 'Four 四.' }], usage(22, 5, 4)),
  tools: answer([{ text: 'I look.' }, call('call_1', 'Oslo'), call('call_2', 'Bergen')], usage(80, 30)),
  image: answer([{ text: 'A dot.' }], usage(800, 3)),
  schema: answer([{ text: '{"answer":4,"sure":true}' }], usage(50, 9)),
  thinking: answer([thought('Two and two.', { thoughtSignature: 'c2ln' }), { text: 'Four.' }], usage(30, 20, 0, 40)),
  stop: answer([{ text: 'Four' }], usage(20, 1)),
}

const chunk = (parts: Json[]) => ({
  candidates: [{ content: { role: 'model', parts }, index: 0 }],
  usageMetadata: { promptTokenCount: 1, totalTokenCount: 1 },
  ...head,
})

function stream(pieces: Json[][], used: Json): string {
  const last = pieces.at(-1)!
  return unnamed([...pieces.slice(0, -1).map(chunk), answer(last, used)])
}

const words = (...texts: string[]) => texts.map(text => [{ text }])

const streams: Wire['streams'] = {
  text: stream(words('Four', ' 四', '.'), usage(22, 5, 4)),
  tools: stream(
    [...words('I ', 'look.'), [call('call_1', 'Oslo'), call('call_2', 'Bergen')], [{ text: '' }]],
    usage(80, 30),
  ),
  image: stream(words('A dot.'), usage(800, 3)),
  schema: stream(words('{"answer":4', ',"sure":true}'), usage(50, 9)),
  thinking: stream(
    [[thought('Two and')], [thought(' two.')], [thought('', { thoughtSignature: 'c2ln' })], [{ text: 'Four.' }]],
    usage(30, 20, 0, 40),
  ),
  stop: stream(words('Four'), usage(20, 1)),
}

const error = { error: { code: 429, message: 'Slow down', status: 'RESOURCE_EXHAUSTED' } }

export const gemini: Wire = {
  requests,
  asked: { model: 'm', stream: false },
  answers,
  streams,
  errors: { status: 429, body: error, stream: unnamed([chunk([{ text: 'F' }]), error]) },
}
