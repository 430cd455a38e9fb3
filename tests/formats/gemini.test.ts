// @engine sqlite
/** Google's format through the canonical form: what it alone can say comes out as it went in, the rest in its own words. */
import { describe, expect, test } from 'bun:test'
import type { ClientFormatName } from '../../src/formats/canonical/chat.ts'
import { formats } from '../../src/formats/index.ts'
import type { Json } from '../../src/pure/json.ts'
import { chat, sent, user } from './support.ts'
import { picture } from './wire/sse.ts'

const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }]
const inlineData = { mimeType: 'image/png', data: picture }

test('gemini: a request round-trips through the canonical form', () => {
  const file = (mimeType: string, fileUri: string) => ({ fileData: { mimeType, fileUri } })
  const body = {
    systemInstruction: { parts: [{ text: 'One' }, { text: 'Two' }] },
    contents: [
      {
        role: 'user',
        parts: [
          { text: 'See' },
          { inlineData: { mimeType: 'application/pdf', data: 'JVBERi0=' } },
          { inlineData: { mimeType: 'audio/wav', data: 'AAAA' } },
          file('video/mp4', 'https://youtu.be/x'),
          file('image/png', 'gs://bucket/a.png'),
          file('application/pdf', 'https://generativelanguage.googleapis.com/v1beta/files/x'),
        ],
      },
      {
        role: 'model',
        parts: [
          { text: 'Hm', thought: true, thoughtSignature: 'c2ln' },
          { text: 'So', thoughtSignature: 'dGV4dA==' },
          { executableCode: { language: 'PYTHON', code: 'print(4)' } },
          { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '4' } },
          { functionCall: { id: 'c', name: 'f', args: { x: 0 } }, thoughtSignature: 'Y2FsbA==' },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'c', name: 'f', response: { error: 'Blurred' }, parts: [{ inlineData }] } },
          { text: 'And?' },
        ],
      },
    ],
    tools: [
      {
        functionDeclarations: [
          { name: 'f', description: 'F', parameters: { type: 'object', properties: { x: { type: 'integer' } } } },
        ],
      },
      { googleSearch: {} },
      { urlContext: {} },
    ],
    toolConfig: {
      functionCallingConfig: { mode: 'VALIDATED', allowedFunctionNames: ['f', 'g'] },
      includeServerSideToolInvocations: true,
    },
    safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'OFF' }],
    labels: { team_name: 'blue' },
    generationConfig: {
      ...{ temperature: 0, topP: 0, topK: 1, seed: 0, presencePenalty: 0, frequencyPenalty: 0 },
      ...{ candidateCount: 2, maxOutputTokens: 9, stopSequences: ['x'], responseLogprobs: true, logprobs: 3 },
      responseMimeType: 'application/json',
      responseSchema: { type: 'object', properties: { a: { type: 'string' } } },
      responseModalities: ['TEXT', 'IMAGE'],
      thinkingConfig: { includeThoughts: true, thinkingLevel: 'high' },
      mediaResolution: 'MEDIA_RESOLUTION_LOW',
    },
  }
  expect(sent('gemini', body, 'gemini', 'gemini-3-pro')).toEqual(body)
})

describe('a choice among tools', () => {
  const tools = [{ functionDeclarations: [{ name: 'f' }, { name: 'g' }] }]
  const choice = (mode: string | undefined, allowedFunctionNames?: string[]) => {
    const toolConfig = { functionCallingConfig: { mode, allowedFunctionNames } }
    return sent('gemini', { contents, tools, toolConfig }, 'openai-responses').tool_choice
  }
  const named = (name: string) => ({ type: 'function', name })
  const allowed = (mode: string) => ({ type: 'allowed_tools', mode, tools: [named('f'), named('g')] })

  test.each([
    [undefined, undefined, 'auto'],
    ['MODE_UNSPECIFIED', undefined, 'auto'],
    ['AUTO', undefined, 'auto'],
    ['NONE', undefined, 'none'],
    ['ANY', undefined, 'required'],
    ['ANY', ['f'], named('f')],
    ['ANY', ['f', 'g'], allowed('required')],
    ['VALIDATED', undefined, 'auto'],
    ['VALIDATED', ['f', 'g'], allowed('auto')],
  ])('gemini: the tool choice %p becomes %p', (mode, names, expected) => {
    expect(choice(mode, names)).toEqual(expected)
    if (mode === 'MODE_UNSPECIFIED' || mode === undefined) return
    const back = { tools: ['f', 'g'].map(name => ({ ...named(name) })), tool_choice: expected, model: 'm', input: 'Hi' }
    const { toolConfig } = sent('openai-responses', back as Json, 'gemini')
    const told = mode === 'VALIDATED' && !names ? 'AUTO' : mode
    expect(toolConfig).toEqual({
      functionCallingConfig: { mode: told, ...(names && { allowedFunctionNames: names }) },
    })
  })
})

test('calls that have no ids and their results find each other by name, in order', () => {
  const call = (name: string, x: number) => ({ functionCall: { name, args: { x } } })
  const result = (name: string, result: unknown) => ({ functionResponse: { name, response: { result } } })
  const body = {
    contents: [
      ...contents,
      { role: 'model', parts: [call('f', 1), call('g', 2), call('f', 3)] },
      { role: 'function', parts: [result('f', 'one'), result('f', 'three'), result('g', 2), result('h', 'none')] },
    ],
  }
  const messages = sent('gemini', body, 'openai-chat').messages as Json[]
  const ids = (messages[1]!.tool_calls as Json[]).map(({ id }) => id)
  expect(new Set(ids).size).toBe(3)
  expect(messages.slice(2)).toEqual([
    { role: 'tool', tool_call_id: ids[0], content: 'one' },
    { role: 'tool', tool_call_id: ids[1], content: '{"result":2}' },
    { role: 'tool', tool_call_id: ids[2], content: 'three' },
    { role: 'user', content: 'none' },
  ])
})

test('results that come in another order find their calls by ids, and one beside other words is data', () => {
  const call = (id: string) => ({ functionCall: { id, name: 'f', args: {} } })
  const result = (id: string, response: Json) => ({ functionResponse: { id, name: 'f', response } })
  const more = { result: 'ok', took: 3 }
  const body = {
    contents: [
      ...contents,
      { role: 'model', parts: [call('a'), call('b')] },
      { role: 'user', parts: [result('b', { result: 'two' }), result('a', more)] },
    ],
  }
  expect((sent('gemini', body, 'openai-chat').messages as Json[]).slice(2)).toEqual([
    { role: 'tool', tool_call_id: 'a', content: JSON.stringify(more) },
    { role: 'tool', tool_call_id: 'b', content: 'two' },
  ])
})

test('names of a schema’s own stay as they are, however the fields around it are spelt', () => {
  const parameters_json_schema = { type: 'object', properties: { a_b: { type: 'string' } } }
  const tools = [{ function_declarations: [{ name: 'f', parameters_json_schema }] }]
  expect(sent('gemini', { contents, tools }, 'openai-chat').tools).toMatchObject([
    { function: { parameters: parameters_json_schema } },
  ])
})

test('gemini: search and code execution become the hosted tools of other formats', () => {
  const tools = [{ googleSearchRetrieval: {} }, { codeExecution: {} }]
  expect(sent('gemini', { contents, tools }, 'openai-responses').tools).toMatchObject([
    { type: 'web_search' },
    { type: 'code_interpreter' },
  ])
  const code = { model: 'm', input: 'Hi', tools: [{ type: 'code_interpreter', container: { type: 'auto' } }] }
  expect(sent('openai-responses', code, 'gemini').tools).toEqual([{ codeExecution: {} }])
})

test('gemini: a schema in the standard words stays as it is', () => {
  const schema = { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false, required: ['a'] }
  const body = {
    contents,
    tools: [{ functionDeclarations: [{ name: 'f', parametersJsonSchema: schema }] }],
    generationConfig: { responseMimeType: 'application/json', responseJsonSchema: schema },
  }
  expect(sent('gemini', body, 'openai-chat')).toMatchObject({
    tools: [{ function: { name: 'f', parameters: schema } }],
    response_format: { type: 'json_schema', json_schema: { schema, strict: true } },
  })
  const plain = (responseMimeType: string) =>
    sent('gemini', { contents, generationConfig: { responseMimeType } }, 'openai-chat').response_format
  expect([plain('application/json'), plain('text/plain')]).toEqual([{ type: 'json_object' }, { type: 'text' }])
})

test("gemini: file URLs go to upstreams that fetch, Google's own files to Gemini alone", () => {
  const seen = (fileUri: string, mimeType: string, upstream: ClientFormatName) =>
    sent('gemini', { contents: [{ parts: [{ fileData: { fileUri, mimeType } }] }] }, upstream)
  const url = 'https://example.com/a'
  expect(seen(url, 'image/png', 'openai-chat').messages).toMatchObject([{ content: [{ image_url: { url } }] }])
  expect(seen(url, 'video/mp4', 'openai-chat').messages).toMatchObject([{ content: [{ video_url: { url } }] }])
  expect(seen(url, 'application/pdf', 'openai-chat')).toEqual({ code: 'format.no_file_url', param: null })
  expect(seen(url, 'video/mp4', 'anthropic')).toEqual({ code: 'format.no_video', param: null })
  expect(seen(url, 'application/pdf', 'openai-responses').input).toMatchObject([
    { content: [{ type: 'input_file', file_url: url }] },
  ])
  for (const theirs of ['gs://bucket/a', 'https://www.youtube.com/watch?v=x'])
    expect(seen(theirs, 'image/png', 'openai-chat')).toEqual({ code: 'format.no_file_id', param: null })
})

describe('a model', () => {
  const config = (model: string, rest: Json = {}) =>
    sent('openai-chat', chat([user('Hi')], rest), 'gemini', model).generationConfig as Json | undefined

  test.each([
    ['gemini-2.5-flash-image', undefined, ['TEXT', 'IMAGE']],
    ['gemini-2.5-flash-preview-tts', undefined, ['AUDIO']],
    ['gemini-2.5-flash-lite', { includeThoughts: true, thinkingBudget: 512 }, undefined],
    ['gemini-flash-latest', { includeThoughts: true, thinkingLevel: 'low' }, undefined],
    ['gemini-10-pro', { includeThoughts: true, thinkingLevel: 'low' }, undefined],
    ['gemma-3-27b-it', undefined, undefined],
    ['gemini-1.0-pro', undefined, undefined],
  ])('gemini: %s gets its own thinking and modalities', (model, thinkingConfig, responseModalities) => {
    const told = config(model, { reasoning: { max_tokens: 100 } })
    expect(told?.thinkingConfig).toEqual(thinkingConfig as Json)
    expect(told?.responseModalities).toEqual(responseModalities as string[])
  })

  test('gemini: models of the first generation get instructions as a message', () => {
    const messages = [{ role: 'system', content: 'One' }, user('A')]
    expect(sent('openai-chat', chat(messages), 'gemini', 'gemini-1.0-pro')).not.toHaveProperty('systemInstruction')
  })

  test('gemini: an effort overrides adaptive thinking', () => {
    const thinking = { thinking: { type: 'adaptive' }, output_config: { effort: 'low' } }
    const body = { model: 'm', max_tokens: 9, messages: [user('Hi')], ...thinking }
    expect(sent('anthropic', body, 'gemini', 'gemini-2.5-flash').generationConfig).toMatchObject({
      thinkingConfig: { includeThoughts: true, thinkingBudget: 1024 },
    })
  })

  test('gemini: thinking is off, or the least that the model can do', () => {
    const budgetOf = (model: string) => config(model, { reasoning_effort: 'none' })?.thinkingConfig
    expect(budgetOf('gemini-2.5-flash')).toMatchObject({ thinkingBudget: 0 })
    expect(budgetOf('gemini-2.5-pro')).toMatchObject({ thinkingBudget: 128 })
  })

  test('gemini: modalities ask for images and audio', () => {
    expect(config('m', { modalities: ['text', 'image'] })).toEqual({ responseModalities: ['TEXT', 'IMAGE'] })
    expect(config('m', { modalities: ['text', 'audio'] })).toEqual({ responseModalities: ['AUDIO'] })
  })

  test('gemini: the highest effort gets the largest budget of the model', () => {
    expect(config('gemini-2.5-pro', { reasoning_effort: 'max' })?.thinkingConfig).toMatchObject({
      thinkingBudget: 32_768,
    })
  })
})

test('formats that have no video say so', () => {
  const parts = [{ inlineData: { mimeType: 'video/mp4', data: 'AAAA' } }]
  const told = formats.map(upstream => sent('gemini', { contents: [{ parts }] }, upstream))
  expect(told).toMatchObject([
    { messages: [{ content: [{ type: 'video_url', video_url: { url: 'data:video/mp4;base64,AAAA' } }] }] },
    { code: 'format.no_video' },
    { code: 'format.no_video' },
    { contents: [{ parts }] },
  ])
})

test('gemini: a signature that is no whole base64, such as a shortened one, is left out', () => {
  const signed = (thoughtSignature: string) => {
    const parts = [{ functionCall: { name: 'f', args: {} }, thoughtSignature }]
    const body = { contents: [...contents, { role: 'model', parts }, { role: 'user', parts: [{ text: 'Go' }] }] }
    const [part] = (sent('gemini', body, 'gemini').contents as Json[])[1]!.parts as Json[]
    return part!.thoughtSignature
  }
  for (const whole of ['c2ln', 'c2lnbg==', 'c2lnbi8', 'c2l_-a8']) expect(signed(whole)).toBe(whole)
  for (const cut of ['c2lnb', 'c2lnb=', 'c2ln====', 'c2 n', 'c2ln…'])
    expect({ cut, sent: signed(cut) }).toEqual({ cut, sent: undefined })
})
