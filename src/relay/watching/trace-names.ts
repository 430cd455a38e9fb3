/**
 * Names in spans, by OpenTelemetry's conventions 1.41 as of 2026-11; those of models are still in development there.
 * https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/ https://opentelemetry.io/docs/specs/semconv/http/http-spans/
 */
export const SCHEMA_URL = 'https://opentelemetry.io/schemas/1.41.0'

export const names = {
  method: 'http.request.method',
  route: 'http.route',
  path: 'url.path',
  url: 'url.full',
  status: 'http.response.status_code',
  resends: 'http.request.resend_count',
  client: 'client.address',
  agent: 'user_agent.original',
  server: 'server.address',
  port: 'server.port',
  error: 'error.type',
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  model: 'gen_ai.request.model',
  stream: 'gen_ai.request.stream',
  maxTokens: 'gen_ai.request.max_tokens',
  choices: 'gen_ai.request.choice.count',
  temperature: 'gen_ai.request.temperature',
  topP: 'gen_ai.request.top_p',
  outputType: 'gen_ai.output.type',
  responseId: 'gen_ai.response.id',
  responseModel: 'gen_ai.response.model',
  firstChunk: 'gen_ai.response.time_to_first_chunk',
  input: 'gen_ai.usage.input_tokens',
  output: 'gen_ai.usage.output_tokens',
  cacheRead: 'gen_ai.usage.cache_read.input_tokens',
  cacheWrite: 'gen_ai.usage.cache_creation.input_tokens',
  reasoning: 'gen_ai.usage.reasoning.output_tokens',
  inputMessages: 'gen_ai.input.messages',
  outputMessages: 'gen_ai.output.messages',
  instructions: 'gen_ai.system_instructions',
  requestId: 'tollgate.request_id',
  channel: 'tollgate.channel',
  quota: 'tollgate.quota',
  reason: 'tollgate.reason',
} as const

const doubles = new Set<string>([names.temperature, names.topP, names.firstChunk])

export const isDouble = (name: string) => doubles.has(name)
