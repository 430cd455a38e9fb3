/**
 * Attributes of spans, by OpenTelemetry's conventions 1.41 as of 2026-11; those of models are still in development there.
 * https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/ https://opentelemetry.io/docs/specs/semconv/http/http-spans/
 */
import { flagAttribute, measuredAttribute, textAttribute, wholeAttribute } from '../../pure/otlp.ts'

export const SCHEMA_URL = 'https://opentelemetry.io/schemas/1.41.0'

export const write = {
  method: textAttribute('http.request.method'),
  route: textAttribute('http.route'),
  path: textAttribute('url.path'),
  url: textAttribute('url.full'),
  status: wholeAttribute('http.response.status_code'),
  resends: wholeAttribute('http.request.resend_count'),
  client: textAttribute('client.address'),
  agent: textAttribute('user_agent.original'),
  server: textAttribute('server.address'),
  port: wholeAttribute('server.port'),
  error: textAttribute('error.type'),
  operation: textAttribute('gen_ai.operation.name'),
  provider: textAttribute('gen_ai.provider.name'),
  model: textAttribute('gen_ai.request.model'),
  stream: flagAttribute('gen_ai.request.stream'),
  maxTokens: wholeAttribute('gen_ai.request.max_tokens'),
  choices: wholeAttribute('gen_ai.request.choice.count'),
  temperature: measuredAttribute('gen_ai.request.temperature'),
  topP: measuredAttribute('gen_ai.request.top_p'),
  outputType: textAttribute('gen_ai.output.type'),
  responseId: textAttribute('gen_ai.response.id'),
  responseModel: textAttribute('gen_ai.response.model'),
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
  channel: wholeAttribute('tollgate.channel'),
  quota: wholeAttribute('tollgate.quota'),
  reason: textAttribute('tollgate.reason'),
}
