/** The error of a prompt that is longer than the context of its model, which every maker words in its own way. */
import type { ApiError } from './chat.ts'

/** Tokens, as far as the upstream names them. */
export interface Overflow {
  /** Length of the prompt. */
  tokens?: number
  /** The limit of output tokens, where the prompt fits only without it. */
  output?: number
  /** Length of the model's context. */
  max?: number
}

/** By these names of OpenAI's, clients know that the conversation has to be shortened. */
export const OVERFLOW = { type: 'invalid_request_error', code: 'context_length_exceeded' } as const

/** Statuses of limits, of accounts and of models that are missing: their words about tokens mean other things. */
const otherStatuses = new Set([401, 402, 403, 404, 408, 429, 529])

/** @returns undefined when the error is about something else */
export function overflowOf({ status, message, code, type }: ApiError): Overflow | undefined {
  if (otherStatuses.has(status)) return undefined
  for (const pattern of patterns) {
    const match = pattern.exec(message)
    if (match) return countsIn(match.groups ?? {})
  }
  return codes.has(code) || codes.has(type) ? {} : undefined
}

const codes = new Set([
  OVERFLOW.code,
  'exceed_context_size_error', // llama.cpp
  'tokens_limit_reached', // GitHub Models
  '1261', // Zhipu
])

/** The groups are `tokens`, `output` and `max`, and `total` for the sum of the first two; the most telling come first. */
const patterns: readonly RegExp[] = [
  // Anthropic: "prompt is too long: 213462 tokens > 200000 maximum"; Fireworks names both numbers as well.
  /prompt is too long: (?<tokens>[\d,]+)(?: tokens)?(?: >|,)\D{0,40}(?<max>[\d,]+)/i,
  // Anthropic: "input length and `max_tokens` exceed context limit: 186433 + 20000 > 200000, decrease input length …"
  /exceed context limit: (?<tokens>[\d,]+)\D+(?<output>[\d,]+) > (?<max>[\d,]+)/i,
  // OpenAI, DeepSeek, OpenRouter: "… maximum context length is 65536 tokens. However, you requested 70000 tokens (66000
  // in the messages, 4000 in the completion)", or "(… of text input, … of tool input, … in the output)"
  /maximum context length (?:is|of) (?<max>[\d,]+) tokens\D+requested (?:about |a total of )?(?<total>[\d,]+) tokens\D+[\d,]+ [^)]*?(?<output>[\d,]+) (?:tokens )?(?:in|for) the (?:completion|output)/i,
  // vLLM: "'max_tokens' … is too large: 64000. This model's maximum context length is 102400 tokens and your request has
  // 39057 input tokens"
  /is too large: (?<output>[\d,]+)\. This model's maximum context length is (?<max>[\d,]+) tokens\D+(?<tokens>[\d,]+) input tokens/i,
  // vLLM: "… you requested 256 output tokens and your prompt contains at least 7937 input tokens"
  /maximum context length is (?<max>[\d,]+) tokens\D+(?<output>[\d,]+) output tokens\D+(?<tokens>[\d,]+) input tokens/i,
  // vLLM: "You passed 40000 input tokens … However, the model's context length is only 32768 tokens"
  /passed (?<tokens>[\d,]+) input tokens.*context length is only (?<max>[\d,]+)/i,
  // OpenAI: "… maximum context length is 128000 tokens. However, your messages resulted in 204308 tokens"
  /maximum context length is (?<max>[\d,]+) tokens(?:\D+(?<tokens>[\d,]+) tokens)?/i,
  // xAI: "This model's maximum prompt length is 131072 but the request contains 537812 tokens"
  /maximum prompt length is (?<max>[\d,]+)(?:\D+(?<tokens>[\d,]+))?/i,
  // Gemini: "The input token count (1196265) exceeds the maximum number of tokens allowed (1048575)"; Vertex AI: "the
  // input token count is 1196265 but model only supports up to 1048576"
  /input token count\D{0,6}(?<tokens>[\d,]+)?\D{0,3}(?:exceeds the maximum number of tokens|but model only supports)\D*(?<max>[\d,]+)?/i,
  // Mistral: "Prompt contains 40121 tokens …, too large for model with 32768 maximum context length"
  /contains (?<tokens>[\d,]+) tokens.*too large for model with (?<max>[\d,]+) maximum context/i,
  // Cohere: "too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 5000"
  /too many tokens: total number of tokens.*cannot exceed (?<max>[\d,]+) - received (?<tokens>[\d,]+)/i,
  /^too many tokens:/i,
  // DashScope: "Range of input length should be [1, 30720]"
  /range of input length should be \[\d+, (?<max>\d+)\]/i,
  // Moonshot: "Your request exceeded model token limit: 131072 (requested: 140000)"
  /exceeded model token limit: (?<max>[\d,]+)(?: \(requested: (?<tokens>[\d,]+)\))?/i,
  // SGLang: "The input (233781 tokens) is longer than the model's context length (202752 tokens)", "Input length (160062
  // tokens) exceeds the maximum allowed length (59862 tokens)"
  /input (?:length )?\((?<tokens>[\d,]+) tokens\) (?:is longer than the model's context length|exceeds the maximum allowed length) \((?<max>[\d,]+)/i,
  // Ark: "Input length 140000 exceeds the maximum length 131072"
  /input length (?<tokens>[\d,]+) exceeds the maximum length (?<max>[\d,]+)/i,
  // llama.cpp: "request (40000 tokens) exceeds the available context size (4096 tokens), try increasing it"
  /(?:\((?<tokens>[\d,]+) tokens\) )?exceeds the available context size(?: \((?<max>[\d,]+))?/i,
  // Amazon Titan: "Too many input tokens. Max input tokens: 8192, request input token count: 9000"
  /max input tokens: (?<max>[\d,]+), request input token count: (?<tokens>[\d,]+)/i,
  // Copilot: "prompt token count of 140000 exceeds the limit of 128000"
  /token count of (?<tokens>[\d,]+) exceeds the limit of (?<max>[\d,]+)/i,
  // GitHub Models: "Request body too large for gpt-4o model. Max size: 8000 tokens."
  /body too large for \S+ model\. Max size: (?<max>[\d,]+) tokens/i,
  // Cloudflare: "The estimated number of input and maximum output tokens (9000) exceeded this model context window limit (8000)"
  /tokens \((?<tokens>[\d,]+)\) exceeded this model context window limit \((?<max>[\d,]+)/i,
  // TGI: "`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 4000 `inputs` tokens and 200 `max_new_tokens`"
  /`max_new_tokens` must be <= (?<max>\d+)\. Given: (?<tokens>\d+) `inputs` tokens and (?<output>\d+)/i,
  /`inputs` must have less than (?<max>\d+) tokens\. Given: (?<tokens>\d+)/i,
  // LM Studio: "Trying to keep the first 50000 tokens when context the overflows. However, the model is loaded with
  // context length of only 4096 tokens"
  /keep the first (?<tokens>[\d,]+) tokens when context .*context length of only (?<max>[\d,]+)/i,
  // Without numbers: OpenAI, Bedrock, Amazon Nova, Groq, MiniMax, Ollama, LM Studio, Zhipu, Baidu, Dify, Replicate.
  /exceeds the context window|^(?:.*: )?input is too long(?: for requested model)?\.?$|input tokens exceeded|reduce the length of the messages|context window exceeds limit|exceeds the context length|prompt too long; exceeded|greater than the context length|^prompt (?:exceeds max|length exceeds max)|^(?:the )?prompt (?:tokens? )?(?:is )?too long|prefix prompt is too long|prompt 超长|输入.{0,12}超过模型(?:最大)?限制/i,
]

function countsIn(groups: Record<string, string | undefined>): Overflow {
  const count = (name: string) => (groups[name] ? Number(groups[name].replaceAll(',', '')) : undefined)
  const [total, output, max] = [count('total'), count('output'), count('max')]
  const tokens = count('tokens') ?? (total === undefined ? undefined : total - (output ?? 0))
  // A prompt that is too long by itself is no matter of the output.
  const fits = tokens !== undefined && max !== undefined && tokens <= max
  return { tokens, output: fits ? output : undefined, max }
}
