/** Options of prices: tables of models, groups and tools. */
import { z } from 'zod'
import { type Tier, type TierRatio, tierRatios } from '../../billing/price-table.ts'
import { type TaskPrice, taskUnits } from '../../billing/task-price.ts'
import type { MessageKey } from '../../locales/index.ts'
import { listedPrices } from '../../models/maker-prices.ts'
import defaults from '../../models/prices.json'
import { asRows, json, numbers, section, textMap } from './declare.ts'

/** An empty text is no table: it would leave every model without a price. */
const noBlank = { blank: false }

const amounts = (initial: Record<string, number>) => json(initial, numbers(), undefined, noBlank)

const groups = (shape?: MessageKey) => numbers('option.group_ratio_negative', shape)

/** Groups of a channel are stored comma-joined, and logs find them by an index. */
const isGroupName = (name: string) => /^[^\s,]/.test(name) && /^[^\p{C},]{1,100}(?<!\s)$/u.test(name)

const groupRatios = groups().refine(ratios => Object.keys(ratios).every(isGroupName), 'option.bad_group_name')

const ratio = z
  .number('option.not_tiers')
  .min(0, 'option.not_tiers')
  .max(Number.MAX_SAFE_INTEGER, 'option.out_of_range')
  .optional()
const ratios = Object.fromEntries(tierRatios.map(name => [name, ratio])) as Record<TierRatio, typeof ratio>

const tier = z
  .strictObject({ from: z.int('option.not_tiers').min(1, 'option.not_tiers'), ...ratios }, 'option.not_tiers')
  .refine(({ from, ...own }) => Object.keys(own).length > 0, 'option.not_tiers')

const tiers: z.ZodType<Tier[]> = z
  .array(tier, 'option.not_tiers')
  .min(1, 'option.not_tiers')
  .refine(list => list.every(({ from }, at) => at === 0 || from > list[at - 1]!.from), 'option.tiers_overlap')

const usd = z.number('option.not_task_price').min(0, 'option.not_task_price').max(Number.MAX_SAFE_INTEGER)

/** Conditions of a rule are texts or numbers; without a price or a factor it would do nothing. */
const rule = z
  .object({ price: usd.optional(), times: usd.optional() }, 'option.not_task_price')
  .catchall(z.union([z.string(), z.number()], 'option.not_task_price'))
  .refine(({ price, times }) => price !== undefined || times !== undefined, 'option.not_task_price')

const taskPrice = z.strictObject(
  {
    unit: z.enum(taskUnits, 'option.not_task_price'),
    price: usd,
    when: z.array(rule, 'option.not_task_price').optional(),
    add: z.record(z.string(), usd, 'option.not_task_price').optional(),
    min: usd.optional(),
  },
  'option.not_task_price',
) as z.ZodType<TaskPrice>

export const prices = section({
  tab: 'operation',
  options: {
    ModelPrice: amounts({ ...listedPrices.ModelPrice, ...defaults.ModelPrice }),
    ModelRatio: amounts({ ...listedPrices.ModelRatio, ...defaults.ModelRatio }),
    CompletionRatio: amounts({ ...listedPrices.CompletionRatio, ...defaults.CompletionRatio }),
    CacheRatio: amounts({ ...listedPrices.CacheRatio, ...defaults.CacheRatio }),
    CacheCreationRatio: amounts(defaults.CacheCreationRatio),
    CacheCreationHourRatio: amounts(defaults.CacheCreationHourRatio),
    AudioRatio: amounts({ ...listedPrices.AudioRatio, ...defaults.AudioRatio }),
    AudioCompletionRatio: amounts({ ...listedPrices.AudioCompletionRatio, ...defaults.AudioCompletionRatio }),
    ImageRatio: amounts({ ...listedPrices.ImageRatio, ...defaults.ImageRatio }),
    ReasoningRatio: amounts(defaults.ReasoningRatio),
    TierRatio: json(
      { ...listedPrices.TierRatio, ...(defaults.TierRatio as Record<string, Tier[]>) },
      z.record(z.string(), tiers, 'option.not_tiers'),
      undefined,
      noBlank,
    ),
    TaskPrice: json(
      defaults.TaskPrice as unknown as Record<string, TaskPrice>,
      z.record(z.string(), taskPrice, 'option.not_task_price'),
    ),
    ToolPrice: amounts(defaults.ToolPrice),
    TariffRatio: amounts(defaults.TariffRatio),
    GroupRatio: asRows('numbers', ['group', 'ratio'], json(defaults.GroupRatio, groupRatios, undefined, noBlank)),
    GroupGroupRatio: asRows(
      'nested',
      ['user_group', 'group_used', 'ratio'],
      json(
        defaults.GroupGroupRatio as Record<string, Record<string, number>>,
        z.record(z.string(), groups('option.not_group_groups'), 'option.not_group_groups'),
        undefined,
        noBlank,
      ),
    ),
    UserUsableGroups: textMap(['group', 'description'], defaults.UserUsableGroups),
  },
})
