/** The bill of a task, computed again from its log entry. */
import type { Bill } from '../../billing/bill-line.ts'
import type { PriceTables } from '../../billing/price.ts'
import { perCall, taskBill, taskPriceIn, UNLISTED_TASK_USD } from '../../billing/task-price.ts'
import type { LogDetails } from '../../contracts/log.ts'

export function taskBilled(model: string, { task, group_ratio = 1 }: LogDetails, tables: PriceTables): Bill {
  const price = taskPriceIn(tables, model) ?? perCall(UNLISTED_TASK_USD)
  return taskBill({ price, choice: task!, group_ratio, quota_per_unit: tables.QuotaPerUnit })
}
