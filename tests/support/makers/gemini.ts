/** Google's Gemini API as its server checks and writes it. https://ai.google.dev/api/generate-content (read 2026-11) */
import {
  type Conversation,
  type Json,
  listOf,
  type Reply,
  type ReportedTokens,
  type ReturnedThought,
  type Round,
  refuseUnknown,
  refuseUnless,
  type Signatures,
  textOf,
} from './conversation.ts'
import type { MakerWire } from './maker.ts'

const known = [
  ...['contents', 'systemInstruction', 'tools', 'toolConfig', 'generationConfig', 'safetySettings', 'cachedContent'],
  ...['labels', 'serviceTier', 'store'],
]
const partKinds = ['text', 'functionCall', 'functionResponse', 'inlineData', 'fileData']
const address = /^\/v1beta\/models\/([^/:]+):(generateContent|streamGenerateContent\?alt=sse)$/
const functionName = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/
/** Schema words that `parameters` does not know; `parametersJsonSchema` takes them. */
const foreignWords =
  /"(?:\$schema|additionalProperties|exclusiveMinimum|exclusiveMaximum|const|\$ref|patternProperties)":/
/** Google's last resort for calls of another model. https://ai.google.dev/gemini-api/docs/thought-signatures (read 2026-11) */
const skipMarkers = ['skip_thought_signature_validator', 'context_engineering_is_the_way_to_go']

/** Models that refuse a call of the current turn without its signature. */
const isStrict = (model: string) => /^gemini-[3-9]/.test(model)

function read(
  { target, headers }: { target: string; headers: Record<string, string> },
  body: Json,
  signatures: Signatures,
) {
  const found = address.exec(target)
  refuseUnless(found, `no such path: ${target}`)
  refuseUnless(headers['x-goog-api-key'] === 'sk-upstream', 'API key not valid. Please pass a valid API key.')
  refuseUnknown(body, known, 'Unknown name ')
  checkTools(body)
  const thinking = body.generationConfig?.thinkingConfig
  const conversation: Conversation = {
    model: found![1]!,
    prompt: `${textOf(body.systemInstruction?.parts)}\n`,
    tools: listOf(body.tools)
      .flatMap(tool => listOf(tool.functionDeclarations))
      .map(({ name, parameters, parametersJsonSchema }) => ({
        name,
        properties: Object.keys((parametersJsonSchema ?? parameters)?.properties ?? {}),
      })),
    rounds: [],
    streamed: found![2] !== 'generateContent',
    thinks: thinking?.includeThoughts === true,
    json: body.generationConfig?.responseMimeType === 'application/json',
  }
  readContents(listOf(body.contents), conversation, signatures)
  return conversation
}

function checkTools({ tools, toolConfig }: Json) {
  const all = listOf(tools)
  for (const { name, parameters } of all.flatMap(tool => listOf(tool.functionDeclarations))) {
    refuseUnless(functionName.test(name), `Invalid function name: ${name}`)
    refuseUnless(!foreignWords.test(JSON.stringify(parameters ?? {})), `Invalid JSON payload: unknown name in ${name}`)
  }
  const hasFunctions = all.some(tool => listOf(tool.functionDeclarations).length)
  const hasHosted = all.some(tool => tool.googleSearch || tool.urlContext || tool.codeExecution || tool.googleMaps)
  refuseUnless(
    !hasFunctions || !hasHosted || toolConfig?.includeServerSideToolInvocations,
    'Please enable tool_config.include_server_side_tool_invocations to use Built-in tools with Function calling.',
  )
}

function readContents(contents: Json[], conversation: Conversation, signatures: Signatures) {
  refuseUnless(contents.length, 'contents is not specified')
  let open: Round | undefined
  const isAsked = (parts: Json[]) => parts.some(part => part.text !== undefined && !part.functionResponse)
  const current = contents.findLastIndex(({ role, parts }) => role !== 'model' && isAsked(listOf(parts)))
  for (const [at, { role, parts }] of contents.entries()) {
    const all = listOf(parts)
    refuseUnless(role === undefined || ['user', 'model'].includes(role), 'Please use a valid role: user, model.')
    refuseUnless(all.length, `contents[${at}].parts: must not be empty`)
    for (const part of all)
      refuseUnless(
        partKinds.some(kind => part[kind] !== undefined),
        `contents[${at}].parts: required oneof field 'data' must have one initialized field`,
      )
    if (role === 'model') {
      // Google's own SDK sends back each chunk of a stream as a content of its own.
      if (contents[at - 1]?.role === 'model') continue
      const turn = contents.slice(at, turnEnd(contents, at)).flatMap(content => listOf(content.parts))
      refuseUnless(!open, 'Please ensure that function call turn is followed by a function response turn.')
      open = readModel(turn, at > current && isStrict(conversation.model), signatures)
      if (open) conversation.rounds.push(open)
      continue
    }
    const results = all.filter(part => part.functionResponse)
    refuseUnless(
      results.length === (open?.calls.length ?? 0),
      'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
    )
    for (const [index, { functionResponse }] of results.entries()) {
      const call = open!.calls.find(({ id }) => id && id === functionResponse.id) ?? open!.calls[index]!
      refuseUnless(
        call.name === functionResponse.name,
        `function response ${functionResponse.name} for the call ${call.name}`,
      )
      open!.results.set(call.id, JSON.stringify(functionResponse.response))
    }
    if (!results.length) conversation.prompt += `${textOf(all)}\n`
    open = undefined
  }
  refuseUnless(!open, 'Please ensure that function call turn is followed by a function response turn.')
}

/** Index behind the contents of the model that begin here. */
function turnEnd(contents: Json[], start: number): number {
  const end = contents.findIndex(({ role }, index) => index > start && role !== 'model')
  return end < 0 ? contents.length : end
}

function readModel(parts: Json[], isCurrent: boolean, signatures: Signatures): Round | undefined {
  let thought: ReturnedThought = 'missing'
  for (const part of parts) {
    const signature = part.thoughtSignature ?? part.thought_signature
    if (signature === undefined) continue
    const isSkipped = skipMarkers.includes(signature) || skipMarkers.includes(atob(signature))
    const signed = part.functionCall
      ? { name: part.functionCall.name, args: part.functionCall.args }
      : { text: part.text }
    if (!isSkipped) signatures.check(signature, signed, 'Thought signature is not valid.')
    thought = isSkipped ? 'skipped' : 'signed'
  }
  const calls = parts.filter(part => part.functionCall).map(part => part.functionCall)
  if (!calls.length) return
  const name = calls[0].name
  refuseUnless(
    !isCurrent || thought !== 'missing',
    `Function call is missing a thought_signature in functionCall parts. Function call \`default_api:${name}\``,
  )
  const read = calls.map((call, index) => ({
    id: call.id ?? `${call.name}_${index}`,
    name: call.name,
    args: call.args ?? {},
  }))
  return { calls: read, results: new Map(), thought }
}

function usageOf({ prompt, cached, output }: ReportedTokens): Json {
  const thoughts = Math.min(20, output)
  return {
    promptTokenCount: prompt,
    cachedContentTokenCount: cached,
    candidatesTokenCount: output - thoughts,
    thoughtsTokenCount: thoughts,
    totalTokenCount: prompt + output,
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: prompt }],
    cacheTokensDetails: [{ modality: 'TEXT', tokenCount: cached }],
  }
}

/** The parts of each chunk. The first call of a round is signed; calls that follow are not. */
function chunksOf({ thinking, text, calls }: Reply, { model, thinks }: Conversation, signatures: Signatures): Json[][] {
  const texts = text.match(/.{1,5}/gs) ?? []
  const signed = calls.map(({ id, name, args }, index) => ({
    functionCall: { ...(isStrict(model) && { id }), name, args },
    ...(index === 0 && { thoughtSignature: signatures.sign({ name, args }) }),
  }))
  return [
    ...(thinks && thinking ? [[{ text: thinking, thought: true }]] : []),
    ...texts.map(piece => [{ text: piece }]),
    ...(signed.length ? [signed] : []),
  ]
}

const answerOf = (
  parts: Json[],
  { model }: Conversation,
  finishReason: string | undefined,
  usageMetadata: Json,
): Json => ({
  candidates: [{ content: { parts, role: 'model' }, ...(finishReason && { finishReason }), index: 0 }],
  usageMetadata,
  modelVersion: model,
  responseId: 'response-1',
})

const failure = (code: number, status: string, message: string, details: Json[] = []) => ({
  status: code,
  body: { error: { code, message, status, ...(details.length && { details }) } },
})

const retryInfo = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '1s' }
const overflowMessage = 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).'

const broken = failure(503, 'UNAVAILABLE', 'The model is overloaded. Please try again later.')

export const geminiWire: MakerWire = {
  read,
  whole: (reply, of, tokens, signatures) =>
    answerOf(chunksOf(reply, of, signatures).flat(), of, 'STOP', usageOf(tokens)),
  // The last chunk has an empty text, as Google sends it.
  frames: (reply, of, tokens, signatures) =>
    [
      ...chunksOf(reply, of, signatures).map(parts => answerOf(parts, of, undefined, usageOf(tokens))),
      answerOf([{ text: '' }], of, 'STOP', usageOf(tokens)),
    ].map(chunk => `data: ${JSON.stringify(chunk)}\r\n\r\n`),
  refusal: message => failure(400, 'INVALID_ARGUMENT', message),
  limited: failure(429, 'RESOURCE_EXHAUSTED', 'Resource has been exhausted (e.g. check quota).', [retryInfo]),
  overflow: failure(400, 'INVALID_ARGUMENT', overflowMessage),
  broken,
  brokenFrame: () => `data: ${JSON.stringify(broken.body)}\r\n\r\n`,
  beside: ({ method, target, body }) => {
    if (method === 'GET' && target.startsWith('/v1beta/models')) return { models: [] }
    if (target.includes(':countTokens')) return { totalTokens: Math.ceil(body.length / 4) }
  },
}
