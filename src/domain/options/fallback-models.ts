/** Option of the models that calls of a group fall back to. */
import { z } from 'zod'
import { ANY_MODEL, circleIn, FALLBACK_MODELS_MAX, type FallbackLists } from '../../contracts/fallback-model.ts'
import { asRows, json, section } from './declare.ts'

const Name = z
  .string('option.not_fallbacks')
  .trim()
  .min(1, 'option.not_fallbacks')
  .refine(name => name !== ANY_MODEL, 'option.not_fallbacks')

const List = z
  .array(Name, 'option.not_fallbacks')
  .overwrite(names => [...new Set(names)])
  .max(FALLBACK_MODELS_MAX, 'option.fallbacks_too_many')

/** Calls are not sent from one model to another and back: each would bear the load of the other. */
const Lists: z.ZodType<FallbackLists, FallbackLists> = z
  .record(z.string(), List, 'option.not_fallbacks')
  .superRefine((lists, context) => {
    const model = circleIn(lists)
    if (model === undefined) return
    const message = lists[model]!.includes(model) ? 'option.fallback_to_itself' : 'option.fallback_circle'
    context.addIssue({ code: 'custom', message, path: [model] })
  })

export const fallbackModels = section({
  tab: 'models',
  options: {
    GroupFallbacks: asRows(
      'lists',
      ['group', 'model', 'fallback'],
      json<Record<string, FallbackLists>>({}, z.record(z.string(), Lists, 'option.not_fallbacks')),
    ),
  },
})
