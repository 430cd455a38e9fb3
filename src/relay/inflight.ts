/** How many calls run now. */
import { callQueue } from '../domain/routing/index.ts'
import { openCalls } from '../domain/wallet/index.ts'
import { gauges } from '../process/metrics/gauge.ts'
import { runsHere } from './background/runs.ts'
import { departuresHere } from './request/departure.ts'

gauges(
  'tollgate_inflight',
  'What runs on this node: calls, of them in the background, after their client has left, and in the queue of full channels.',
  ['kind'],
  () => [
    [['calls'], openCalls()],
    [['background'], runsHere()],
    [['left'], departuresHere()],
    [['queued'], callQueue.size],
  ],
)
