/**
 * The most input tokens that models read, by name.
 * OpenAI: https://platform.openai.com/docs/models (the context less the output)
 * Anthropic: https://platform.claude.com/docs/en/models/overview
 * Google: https://ai.google.dev/gemini-api/docs/models
 * xAI: https://docs.x.ai/docs/models
 * DeepSeek: https://api-docs.deepseek.com/quick_start/pricing
 * Moonshot: https://platform.moonshot.ai/docs/pricing/chat
 * GLM: https://docs.z.ai/guides/overview/overview
 * Mistral: https://docs.mistral.ai/getting-started/models/models_overview
 * Qwen: https://help.aliyun.com/zh/model-studio/models
 * Cohere: https://docs.cohere.com/docs/models
 * Perplexity: https://docs.perplexity.ai/getting-started/models
 * (read 2026-11)
 */

/** The first pattern that matches counts. A newer number of a family has the limit of its newest known. */
const rows: readonly [pattern: RegExp, tokens: number][] = [
  [/gpt-oss/, 131_072],
  [/text-embedding-(?:3|ada)/, 8191],
  [/gpt-4o.*transcribe/, 16_000],
  [/realtime-(?:[2-9]|\d\d)/, 128_000],
  [/realtime/, 32_000],
  [/gpt-audio|gpt-(?:[5-9]|\d\d).*chat/, 128_000],
  [/gpt-5(?:\.[0-3])?(?!\.|\d)|gpt-5\.\d+-(?:mini|nano)/, 272_000],
  [/gpt-(?:[5-9]|\d\d)/, 922_000],
  [/gpt-4\.1/, 1_047_576],
  [/gpt-4o|chatgpt-4o|gpt-4-(?:turbo|vision|1106|0125)|gpt-4\.5/, 128_000],
  [/gpt-4-32k/, 32_768],
  [/gpt-4/, 8192],
  [/gpt-3\.5/, 16_385],
  [/(?:^|[^a-z])o1-(?:mini|preview)/, 128_000],
  [/(?:^|[^a-z])o\d|codex-mini/, 200_000],

  [/claude-(?:2\.0|instant)/, 100_000],
  [/claude-(?:[23]|opus-4(?![-.][6-9](?!\d))|sonnet-4(?![-.][6-9](?!\d))|haiku-4)/, 200_000],
  [/claude/, 1_000_000],

  [/gemini-embedding-001/, 2048],
  [/gemini-embedding|gemini.*tts/, 8192],
  [/gemini.*native-audio|gemini.*live|gemini-3\.1-flash-image|robotics|gemma-3/, 131_072],
  [/gemini.*-image/, 65_536],
  [/gemma-(?:[4-9]|\d\d)/, 262_144],
  [/gemini-1\.5-pro/, 2_097_152],
  [/gemini/, 1_048_576],

  [/grok-code|grok-build-0/, 256_000],
  [/grok-(?:2|3)/, 131_072],
  [/grok-4-fast|grok-4-1-fast/, 2_000_000],
  [/grok-4\.(?:20|3)/, 1_000_000],
  [/grok-4(?!\.)/, 256_000],
  [/grok/, 500_000],

  [/deepseek-(?:chat|coder|reasoner|r1|v3)/, 131_072],
  [/deepseek/, 1_000_000],

  [/moonshot-v1-8k/, 8192],
  [/moonshot-v1-32k/, 32_768],
  [/moonshot-v1/, 131_072],
  [/kimi-k2/, 262_144],
  [/kimi-k\d/, 1_048_576],

  [/glm-4\.5|glm-4-/, 128_000],
  [/glm-(?:4\.[67]|5(?:\.1|-|$|v))/, 200_000],
  [/glm-(?:[5-9]|\d\d)/, 1_000_000],

  [/mistral-large-(?:[4-9]|\d\d)/, 1_048_576],
  [/codestral|nemo|pixtral-large/, 128_000],
  [/mistral-embed/, 8192],
  [/magistral|ministral-(?:3-)?(?:8|14)b|devstral|mistral-(?:small|medium|large)/, 262_144],

  [/qwen3-max/, 258_048],
  [/qwq/, 98_304],
  [/qwen(?:3\.[5-9]|[4-9])|qwen-(?:flash|plus-latest)|qwen3-coder-(?:plus|flash)/, 991_808],

  [/command-a-03/, 256_000],
  [/command-r|embed-v4/, 128_000],
  [/minimax-m(?:2\.|[3-9])/, 1_000_000],
  [/sonar-pro/, 200_000],
  [/sonar/, 128_000],
]

/** @returns undefined for an unknown model */
export function inputMaxOf(model: string): number | undefined {
  const name = model.toLowerCase()
  return rows.find(([pattern]) => pattern.test(name))?.[1]
}
