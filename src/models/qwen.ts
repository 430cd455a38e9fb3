/**
 * What Alibaba's models accept, by name. https://help.aliyun.com/zh/model-studio/deep-thinking and
 * https://help.aliyun.com/zh/model-studio/text-generation-model (read 2026-11)
 */
import type { Json } from '../pure/json.ts'
import { budgetOf, isOff, type Reasoning } from './effort.ts'

/** Open weights that think by default: they may think only in a stream. */
const openHybrid = /^qwen3-\d+(?:\.\d+)?b(?:-a\d+b)?$/
const thinksAlways = /^(?:qwq|qvq)|-thinking|deepseek-r1/
const thinksNever = /coder|instruct|^qwen-(?:max|long|vl|mt|math|audio|omni)|^qwen(?:1|2)|^qwen-\d/
const streamsAlone = /^(?:qwq|qvq)|^qwen.*omni|^qwen3-.*-thinking/
const seesAndHears = /vl-|-vl|omni|audio|^qvq|ocr|^qwen(?:3\.[5-9]|[4-9]|\d\d)/

export const INTERNET = '-internet'

/** The suffix asks for a search of the web. */
export const searchesWeb = (model: string): boolean => model.endsWith(INTERNET)

/** A whole response cannot have thoughts. */
export const thinksInStreamsAlone = (model: string): boolean => openHybrid.test(model)

/** Thinking cannot be turned off. */
export const alwaysThinks = (model: string): boolean => thinksAlways.test(model)

/** The model has no whole responses. */
export const hasStreamsAlone = (model: string): boolean => streamsAlone.test(model)

/** The model takes pictures or sound, and has an address of its own in the native API. */
export const isMultimodal = (model: string): boolean => seesAndHears.test(model)

/** Older image models answer with a job. https://help.aliyun.com/zh/model-studio/text-to-image (read 2026-11) */
export const drawsAtOnce = (model: string): boolean =>
  /^(?:qwen-image|z-image|wan2\.(?:[6-9]|\d\d)|wan[3-9])/.test(model)

/**
 * Short recordings go in the request; others are uploaded and transcribed by a job.
 * https://help.aliyun.com/zh/model-studio/qwen-asr-api (read 2026-11)
 */
export const transcribesAtOnce = (model: string): boolean => /asr-flash(?!-filetrans)/.test(model)

/** The job has one recording in place of a list. */
export const takesOneFile = (model: string): boolean => model.endsWith('-filetrans')

/** The smallest of the models' own largest budgets; above it, the model's own limit counts. */
const BUDGET_MAX = 38_912

/** @returns the fields that turn thinking on or off; none for a model without the choice */
export function qwenThinking(model: string, reasoning: Reasoning | undefined): Json {
  if (!reasoning || thinksNever.test(model)) return {}
  const isFixed = thinksAlways.test(model)
  if (isOff(reasoning)) return isFixed ? {} : { enable_thinking: false }
  const budget = budgetOf(reasoning)
  return {
    ...(!isFixed && { enable_thinking: true }),
    ...(budget !== undefined && budget <= BUDGET_MAX && { thinking_budget: budget }),
  }
}

const [TOP_P_MIN, TOP_P_MAX, TEMPERATURE_MAX] = [0.001, 0.999, 1.999]

/** `top_p` is above 0 and below 1. */
export const qwenTopP = (value: number): number => Math.min(Math.max(value, TOP_P_MIN), TOP_P_MAX)

/** `temperature` is below 2. */
export const qwenTemperature = (value: number): number => Math.min(value, TEMPERATURE_MAX)
