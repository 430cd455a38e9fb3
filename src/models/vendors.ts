/** Vendors of models, read from their names. */

/** The first pattern that matches counts. */
const vendors: readonly [RegExp, string][] = [
  [/claude/i, 'Anthropic'],
  [/gemini|gemma|imagen|palm|veo-|robotics-er/i, 'Google'],
  [/deepseek/i, 'DeepSeek'],
  [/qwen|qwq|qvq|wanx|wan2|cosyvoice/i, 'Alibaba Cloud'],
  [/glm|cogview|cogvideo|charglm/i, 'Zhipu'],
  [/moonshot|kimi/i, 'Moonshot AI'],
  [/minimax|abab|hailuo|embo-|speech-0/i, 'MiniMax'],
  [/grok/i, 'xAI'],
  [/mistral|mixtral|codestral|ministral|magistral|devstral|pixtral|voxtral/i, 'Mistral AI'],
  [/llama/i, 'Meta'],
  [/command|cohere|rerank-(english|multilingual|v)|embed-(english|multilingual|v)|aya-/i, 'Cohere'],
  [/ernie|qianfan/i, 'Baidu'],
  [/doubao|seed(ream|ance|-)|skylark/i, 'ByteDance'],
  [/hunyuan/i, 'Tencent'],
  [/spark/i, 'iFLYTEK'],
  [/baichuan/i, 'Baichuan'],
  [/step-/i, 'StepFun'],
  [/(^|[^a-z])yi-/i, '01.AI'],
  [/360|zhinao/i, '360'],
  [/jina/i, 'Jina AI'],
  [/bge-/i, 'BAAI'],
  [/flux/i, 'Black Forest Labs'],
  [/stable-|sdxl|sd3/i, 'Stability AI'],
  [/mj_|midjourney/i, 'Midjourney'],
  [/suno/i, 'Suno'],
  [/fastgpt/i, 'FastGPT'],
  [
    /gpt|dall-e|whisper|sora|davinci|babbage|text-embedding|text-moderation|omni-moderation|(^|[^a-z])(o\d|tts|codex|computer-use)/i,
    'OpenAI',
  ],
]

/** @returns an empty text for a name that tells nothing */
export const vendorOf = (model: string): string => vendors.find(([pattern]) => pattern.test(model))?.[1] ?? ''
