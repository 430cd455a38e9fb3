/** Numbers of channel types: each gateway has its own, and some name a host for which Tollgate has no type. */
import type { MovedProduct } from '../../contracts/moving-in.ts'

interface TypeHere {
  type: number
  /** Where the channel has none. */
  base_url?: string
}

const openAi = (base_url?: string): TypeHere => ({ type: 1, ...(base_url && { base_url }) })

/** Resellers of the first years, which speak OpenAI's API at the channel's own address. */
const RESELLERS = [6, 7, 9, 10, 12, 13]

/** new-api and Veloera number as Tollgate does, but for these. A person's subscription (57) is not resold. */
const newApi: Record<number, TypeHere | undefined> = { 49: { type: 101 }, 57: undefined }

/** one-api shares the first numbers only. */
const oneApi: Record<number, TypeHere | undefined> = {
  ...Object.fromEntries(
    [1, 3, 8, 11, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 31, 33].map(type => [type, { type }]),
  ),
  ...{ 4: openAi(), 5: openAi(), 50: openAi() },
  26: openAi('https://api.baichuan-ai.com'),
  27: { type: 35 },
  28: { type: 42 },
  29: openAi('https://api.groq.com/openai'),
  30: { type: 4 },
  32: openAi('https://api.stepfun.com'),
  34: { type: 101 },
  35: { type: 34 },
  36: { type: 43 },
  37: { type: 39 },
  39: openAi('https://api.together.xyz'),
  40: { type: 45 },
  41: openAi('https://api.novita.ai/v3/openai'),
  42: { type: 41 },
  43: { type: 8 },
  44: { type: 40 },
  45: { type: 48 },
  46: { type: 56 },
  47: { type: 46 },
  48: openAi('https://spark-api-open.xf-yun.com'),
  49: { type: 17 },
  51: { type: 8, base_url: 'https://generativelanguage.googleapis.com/v1beta/openai/chat/completions' },
}

/** @returns undefined for a type that is not carried */
export function typeHere(product: MovedProduct, type: number): TypeHere | undefined {
  if (RESELLERS.includes(type)) return openAi()
  if (product === 'one-api') return oneApi[type]
  return product === 'new-api' && type in newApi ? newApi[type] : { type }
}
