/** Default prices as makers list them: each sheet names its page and the month in which it was read. */
import { newestSheets } from './price-sheets.ts'

export interface PriceSheet {
  maker: string
  page: string
  /** Year and month. */
  read: string
  currency: 'USD' | 'CNY'
  /** Per million tokens: input, and output where there is any. Where the price has tiers, the first. */
  tokens?: Record<string, readonly [input: number, output?: number]>
  /** Per million input tokens that the maker had cached. */
  cached?: Record<string, number>
  /** Per million tokens of sound: input, and output where there is any. */
  audio?: Record<string, readonly [input: number, output?: number]>
  /** Per million input tokens of pictures. */
  pictures?: Record<string, number>
  /** The tier of prompts with at least so many tokens: input and output per million. */
  longer?: Record<string, readonly [from: number, input: number, output: number]>
  /** Per call: a picture, or a search of a reranker. */
  calls?: Record<string, number>
}

export const priceSheets: readonly PriceSheet[] = [
  ...newestSheets,
  {
    maker: 'Cohere',
    page: 'https://cohere.com/pricing',
    read: '2026-11',
    currency: 'USD',
    tokens: {
      'command-a-03-2025': [2.5, 10],
      'command-a-reasoning-08-2025': [2.5, 10],
      'command-a-vision-07-2025': [2.5, 10],
      'command-r7b-12-2024': [0.0375, 0.15],
      'embed-v4.0': [0.12],
      'embed-english-v3.0': [0.1],
      'embed-multilingual-v3.0': [0.1],
      'embed-english-light-v3.0': [0.1],
      'embed-multilingual-light-v3.0': [0.1],
    },
    calls: { 'rerank-v3.5': 0.002, 'rerank-v4.0-fast': 0.002, 'rerank-v4.0-pro': 0.0025 },
  },
  {
    maker: 'Perplexity',
    page: 'https://docs.perplexity.ai/docs/getting-started/pricing',
    read: '2026-11',
    currency: 'USD',
    tokens: {
      sonar: [1, 1],
      'sonar-pro': [3, 15],
      'sonar-reasoning': [1, 5],
      'sonar-reasoning-pro': [2, 8],
      'sonar-deep-research': [2, 8],
    },
  },
  {
    maker: 'Amazon',
    page: 'https://aws.amazon.com/bedrock/pricing/',
    read: '2026-11',
    currency: 'USD',
    tokens: {
      'amazon.nova-micro-v1:0': [0.035, 0.14],
      'amazon.nova-lite-v1:0': [0.06, 0.24],
      'amazon.nova-pro-v1:0': [0.8, 3.2],
      'amazon.nova-premier-v1:0': [2.5, 12.5],
      'amazon.titan-embed-text-v2:0': [0.02],
    },
    calls: { 'amazon.nova-canvas-v1:0': 0.04 },
  },
  {
    maker: 'Cloudflare',
    page: 'https://developers.cloudflare.com/workers-ai/platform/pricing/',
    read: '2026-11',
    currency: 'USD',
    tokens: {
      '@cf/meta/llama-3.2-1b-instruct': [0.027, 0.201],
      '@cf/meta/llama-3.2-3b-instruct': [0.051, 0.335],
      '@cf/meta/llama-3.2-11b-vision-instruct': [0.049, 0.676],
      '@cf/meta/llama-3.1-8b-instruct': [0.282, 0.827],
      '@cf/meta/llama-3.1-8b-instruct-fp8-fast': [0.045, 0.384],
      '@cf/meta/llama-3.3-70b-instruct-fp8-fast': [0.293, 2.253],
      '@cf/meta/llama-3-8b-instruct': [0.282, 0.827],
      '@cf/meta/llama-2-7b-chat-fp16': [0.556, 6.667],
      '@cf/deepseek-ai/deepseek-r1-distill-qwen-32b': [0.497, 4.881],
      '@cf/mistral/mistral-7b-instruct-v0.1': [0.11, 0.19],
      '@cf/baai/bge-small-en-v1.5': [0.02],
      '@cf/baai/bge-base-en-v1.5': [0.067],
      '@cf/baai/bge-large-en-v1.5': [0.204],
    },
  },
  {
    maker: 'Alibaba',
    page: 'https://help.aliyun.com/zh/model-studio/models',
    read: '2026-11',
    currency: 'CNY',
    tokens: {
      'qwen3-max': [2.5, 10],
      'qwen-max': [2.4, 9.6],
      'qwen-plus-latest': [0.8, 2],
      'qwen-flash': [0.15, 1.5],
      'qwen-turbo-latest': [0.3, 0.6],
      'qwq-plus': [1.6, 4],
      'text-embedding-v3': [0.5],
      'text-embedding-v4': [0.5],
    },
    calls: { 'qwen-image': 0.25 },
  },
]

/** The rate at which the default prices were converted. */
const CNY_PER_USD = 7.3
/** USD per million tokens at a ratio of 1. */
const USD_PER_RATIO = 2
const DIGITS = 6

const rounded = (value: number) => Number(value.toPrecision(DIGITS))

const usd = (amount: number, { currency }: PriceSheet) => (currency === 'CNY' ? amount / CNY_PER_USD : amount)

const tokenPrices = priceSheets.flatMap(sheet =>
  Object.entries(sheet.tokens ?? {}).map(([model, [input, output]]) => ({
    model,
    input: usd(input, sheet),
    ratio: output && output / input,
  })),
)

type Rows<Value> = Record<string, Value>

/** @returns the rows of every sheet, as ratios to the price of plain input */
function relative<Row>(
  rowsOf: (sheet: PriceSheet) => Rows<Row> | undefined,
  priceOf: (row: Row) => number,
): Rows<number> {
  const rows = priceSheets.flatMap(sheet =>
    Object.entries(rowsOf(sheet) ?? {}).map(([model, row]) => [
      model,
      rounded(priceOf(row) / sheet.tokens![model]![0]),
    ]),
  )
  return Object.fromEntries(rows) as Rows<number>
}

const audioOutput = priceSheets.flatMap(({ audio = {} }) =>
  Object.entries(audio).flatMap(([model, [input, output]]) => (output ? [[model, rounded(output / input)]] : [])),
)

const tiers = priceSheets.flatMap(({ longer = {} }) =>
  Object.entries(longer).map(([model, [from, input, output]]) => [
    model,
    [{ from, model_ratio: rounded(input / USD_PER_RATIO), completion_ratio: rounded(output / input) }],
  ]),
)

/** The sheets as entries of the price tables. */
export const listedPrices = {
  ModelRatio: Object.fromEntries(tokenPrices.map(({ model, input }) => [model, rounded(input / USD_PER_RATIO)])),
  CompletionRatio: Object.fromEntries(
    tokenPrices.flatMap(({ model, ratio }) => (ratio === undefined ? [] : [[model, rounded(ratio)]])),
  ) as Rows<number>,
  CacheRatio: relative(
    ({ cached }) => cached,
    price => price,
  ),
  AudioRatio: relative(
    ({ audio }) => audio,
    ([input]) => input,
  ),
  AudioCompletionRatio: Object.fromEntries(audioOutput) as Rows<number>,
  ImageRatio: relative(
    ({ pictures }) => pictures,
    price => price,
  ),
  TierRatio: Object.fromEntries(tiers) as Rows<{ from: number; model_ratio: number; completion_ratio: number }[]>,
  ModelPrice: Object.fromEntries(
    priceSheets.flatMap(sheet =>
      Object.entries(sheet.calls ?? {}).map(([model, price]) => [model, rounded(usd(price, sheet))]),
    ),
  ) as Rows<number>,
}
