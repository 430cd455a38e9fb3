/** What a model is for, read from its name, and how much room its shortest response takes. */

export type ModelKind = 'chat' | 'rerank' | 'embeddings' | 'moderations' | 'images' | 'audio' | TaskKind

/** Models that are asked by tasks. */
export type TaskKind = 'drawings' | 'music' | 'videos'

const taskKinds = new Set<ModelKind>(['drawings', 'music', 'videos'])

export const isTaskKind = (kind: ModelKind): kind is TaskKind => taskKinds.has(kind)

/** The first pattern that matches counts. */
const kinds: [RegExp, ModelKind][] = [
  [/^(?:mj_|swap_face)/, 'drawings'],
  [/^suno_/, 'music'],
  [
    /sora-|veo-|seedance|hailuo|cogvideo|vidu|jimeng_|kling|happyhorse|imagine-video|[tir]2v|kf2v|s2v-|(?:^|[-/])wan[\d.-].*video|minimax-h3/i,
    'videos',
  ],
  [/rerank/i, 'rerank'],
  [/embed|bge-|^m3e|embo-|^jina-(?:clip|colbert)/i, 'embeddings'],
  [/moderation/i, 'moderations'],
  [
    /dall-e|nova-canvas|imagen-|cogview|seedream|kolors|flux|stable-diffusion|^wanx?[\d.]*-(?:t2i|i2i|v1)|^(?!gemini).*image/i,
    'images',
  ],
  [/whisper|transcribe|(?:^|[-/])tts|tts$|(?:^|[-/])speech-|realtime|-asr(?:-|$)|^paraformer|^sensevoice/i, 'audio'],
]

export const kindOf = (model: string): ModelKind => kinds.find(([pattern]) => pattern.test(model))?.[1] ?? 'chat'

const THINKING_TOKENS = 50
const GEMINI_TOKENS = 300

/** Output tokens within which a chat model responds with one word. @param tokens for a model that does not think first */
export function shortestOutput(model: string, tokens: number): number {
  if (model.includes('gemini')) return GEMINI_TOKENS
  return model.includes('thinking') && !model.includes('claude') ? THINKING_TOKENS : tokens
}
