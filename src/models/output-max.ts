/**
 * The most output tokens that models can produce in one response, thoughts included, by name.
 * OpenAI: https://platform.openai.com/docs/models
 * Anthropic: https://docs.anthropic.com/en/docs/about-claude/models/overview
 * Google: https://ai.google.dev/gemini-api/docs/models
 * DeepSeek: https://api-docs.deepseek.com/quick_start/pricing
 * xAI: https://docs.x.ai/docs/models (the context; there is no other limit)
 * Moonshot: https://platform.moonshot.cn/docs/pricing/chat
 * Qwen: https://help.aliyun.com/zh/model-studio/models (answer and thoughts have a limit each)
 * GLM: https://docs.bigmodel.cn/cn/guide/start/model-overview
 * Mistral: https://docs.mistral.ai/getting-started/models/models_overview (the context; there is no other limit)
 * Cohere: https://docs.cohere.com/docs/models
 * MiniMax, Doubao, Hunyuan, ERNIE: the model lists of the makers' consoles
 * (read 2026-11)
 */

/** The first pattern that matches counts. Names may have a prefix, such as `openai/` or `anthropic.`. */
const rows: readonly [pattern: RegExp, tokens: number][] = [
  [/gpt-oss/, 131_072],
  [/transcribe/, 2000],
  [/computer-use/, 1024],
  [/realtime/, 4096],
  [/gpt-5-pro/, 272_000],
  [/gpt-5.*chat/, 16_384],
  [/gpt-(?:[5-9]|\d\d)/, 128_000],
  [/gpt-4\.1/, 32_768],
  [/gpt-4o-2024-05-13|gpt-4-(?:turbo|vision|1106|0125)/, 4096],
  [/gpt-4o-64k/, 65_536],
  [/gpt-4o|chatgpt-4o|gpt-4\.5|gpt-audio|gpt-3\.5-turbo-16k/, 16_384],
  [/gpt-4-32k/, 32_768],
  [/gpt-4/, 8192],
  [/gpt-3\.5/, 4096],
  [/(?:davinci|babbage)-002/, 16_384],
  [/(?:^|[^a-z])o1-mini/, 65_536],
  [/(?:^|[^a-z])o1-preview/, 32_768],
  [/(?:^|[^a-z])o\d|codex-mini/, 100_000],

  [/claude-(?:[12]|instant|3-(?:opus|sonnet|haiku))/, 4096],
  [/claude-3[-.]5/, 8192],
  [/claude-3[-.]7/, 64_000],
  [/claude-opus-4(?![-.][2-9](?!\d))/, 32_000],
  [/claude-(?:opus|sonnet|haiku)-4(?![-.][6-9](?!\d))/, 64_000],
  [/claude/, 128_000],

  [/gemini.*tts/, 16_384],
  [/gemini.*-image/, 32_768],
  [/gemini-2\.0-flash-thinking/, 65_536],
  [/gemini-(?:1|2\.0)|gemma|learnlm/, 8192],
  [/gemini-(?:[4-9]|\d\d)/, 1_048_576],
  [/gemini/, 65_536],

  [/grok-[23]/, 131_072],
  [/grok/, 262_144],

  [/deepseek-(?:chat|coder)/, 8192],
  [/deepseek/, 65_536],

  [/moonshot-v1-8k/, 8192],
  [/moonshot-v1-128k/, 131_072],
  [/moonshot|kimi/, 32_768],

  [/qwen3-coder/, 65_536],
  [/qwen3-max/, 147_456],
  [/qwq|qvq/, 40_960],
  [/qwen-(?:max|vl)|qwen-?[12]/, 8192],
  [/qwen-long/, 32_768],
  [/qwen/, 114_688],

  [/glm-4\.5v/, 16_384],
  [/glm-4\.6v|glm-z1/, 32_768],
  [/glm-4\.5/, 98_304],
  [/glm-(?:4\.[6-9]|[5-9])/, 131_072],
  [/glm-4-flash/, 16_384],
  [/glm-(?:[34]|zero)/, 4096],

  [/codestral|devstral|mistral-(?:large|medium)/, 262_144],
  [/mistral|mixtral|ministral|magistral|pixtral|voxtral/, 131_072],

  [/command-a-reasoning/, 32_768],
  [/command-a/, 8192],
  [/command|aya-/, 4096],

  [/minimax-m2/, 131_072],
  [/minimax/, 81_920],
  [/abab/, 8192],
  [/doubao-seed/, 65_536],
  [/doubao/, 16_384],
  [/hunyuan-t1/, 65_536],
  [/ernie-x1/, 65_536],
  [/ernie/, 12_288],
]

/** @returns undefined for an unknown model */
export function outputMaxOf(model: string): number | undefined {
  if (!memo.has(model)) {
    if (memo.size === MEMO_MAX) memo.clear()
    const name = model.toLowerCase()
    memo.set(model, rows.find(([pattern]) => pattern.test(name))?.[1])
  }
  return memo.get(model)
}

/** The rows are constants, so nothing invalidates it. */
const memo = new Map<string, number | undefined>()
const MEMO_MAX = 1000
