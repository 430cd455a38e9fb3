/**
 * Attributes of spans, by OpenTelemetry's conventions 1.41 as of 2026-11; those of models are still in development there.
 * https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/ https://opentelemetry.io/docs/specs/semconv/http/http-spans/
 */
import { first, flagAttribute, measuredAttribute, repeated, textAttribute, wholeAttribute } from '../../pure/otlp.ts'

export const SCHEMA_URL = 'https://opentelemetry.io/schemas/1.41.0'

/** The first two begin the list of a span, all others follow. */
export const write = {
  method: repeated(first(textAttribute('http.request.method'))),
  operation: repeated(first(textAttribute('gen_ai.operation.name'))),
  route: repeated(textAttribute('http.route')),
  path: repeated(textAttribute('url.path')),
  url: textAttribute('url.full'),
  status: repeated(wholeAttribute('http.response.status_code')),
  resends: wholeAttribute('http.request.resend_count'),
  client: repeated(textAttribute('client.address')),
  agent: repeated(textAttribute('user_agent.original')),
  server: textAttribute('server.address'),
  port: wholeAttribute('server.port'),
  error: repeated(textAttribute('error.type')),
  provider: repeated(textAttribute('gen_ai.provider.name')),
  model: repeated(textAttribute('gen_ai.request.model')),
  stream: flagAttribute('gen_ai.request.stream'),
  maxTokens: wholeAttribute('gen_ai.request.max_tokens'),
  choices: wholeAttribute('gen_ai.request.choice.count'),
  temperature: measuredAttribute('gen_ai.request.temperature'),
  topP: measuredAttribute('gen_ai.request.top_p'),
  outputType: repeated(textAttribute('gen_ai.output.type')),
  responseId: textAttribute('gen_ai.response.id'),
  responseModel: repeated(textAttribute('gen_ai.response.model')),
  firstChunk: measuredAttribute('gen_ai.response.time_to_first_chunk'),
  input: wholeAttribute('gen_ai.usage.input_tokens'),
  output: wholeAttribute('gen_ai.usage.output_tokens'),
  cacheRead: wholeAttribute('gen_ai.usage.cache_read.input_tokens'),
  cacheWrite: wholeAttribute('gen_ai.usage.cache_creation.input_tokens'),
  reasoning: wholeAttribute('gen_ai.usage.reasoning.output_tokens'),
  inputMessages: textAttribute('gen_ai.input.messages'),
  outputMessages: textAttribute('gen_ai.output.messages'),
  instructions: textAttribute('gen_ai.system_instructions'),
  requestId: textAttribute('tollgate.request_id'),
  channel: repeated(wholeAttribute('tollgate.channel')),
  quota: wholeAttribute('tollgate.quota'),
  reason: repeated(textAttribute('tollgate.reason')),
}
