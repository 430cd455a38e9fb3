/**
 * Metrics that dashboards of other products know, by the conventions of OpenTelemetry 1.37 as its collector writes them
 * for Prometheus. https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-metrics/ (read 2026-11)
 */
import { histogram } from '../../process/metrics/histogram.ts'
import type { Operation } from '../../providers/index.ts'

const TOKENS = Array.from({ length: 14 }, (_, power) => 4 ** power)
const SECONDS = Array.from({ length: 14 }, (_, power) => 2 ** power / 100)

const labels = ['gen_ai_operation_name', 'gen_ai_provider_name', 'gen_ai_request_model']

const tokenUsage = histogram(
  'gen_ai_client_token_usage',
  'Tokens of a call, by OpenTelemetry.',
  [...labels, 'gen_ai_token_type'],
  TOKENS,
)
const duration = histogram(
  'gen_ai_client_operation_duration_seconds',
  'Seconds of a call, by OpenTelemetry.',
  [...labels, 'error_type'],
  SECONDS,
)

const operationNames: Partial<Record<Operation, string>> = {
  chat: 'chat',
  responses: 'chat',
  completions: 'text_completion',
  embeddings: 'embeddings',
}

/** By the label of the provider; others have their label in small letters. */
const providerNames: Record<string, string> = {
  OpenAI: 'openai',
  'Anthropic Claude': 'anthropic',
  'Azure OpenAI': 'azure.ai.openai',
  'AWS Bedrock': 'aws.bedrock',
  'Google Gemini': 'gcp.gemini',
  'Vertex AI': 'gcp.vertex_ai',
  Mistral: 'mistral_ai',
  xAI: 'x_ai',
}

export const operationName = (operation: Operation): string => operationNames[operation] ?? operation

/** @param provider its label */
export const providerName = (provider: string): string =>
  providerNames[provider] ?? provider.toLowerCase().replace(/[^a-z0-9]+/g, '_')

/** @param error_type empty for a call that succeeded */
export function genAiSeries(operation: Operation, provider: string, model: string, error_type: string) {
  const values = [operationName(operation), providerName(provider), model]
  return {
    input: tokenUsage.of(...values, 'input'),
    output: tokenUsage.of(...values, 'output'),
    duration: duration.of(...values, error_type),
  }
}
