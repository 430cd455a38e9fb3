/** Options of the dashboard. */
import { choice, flag, section, whole } from './declare.ts'

export const dashboard = section({
  tab: 'operation',
  options: {
    DataExportEnabled: flag(true, { publicAs: 'enable_data_export' }),
    DataExportInterval: whole(5, { min: 1 }),
    DataExportDefaultTime: choice('hour', ['day', 'week'], { publicAs: 'data_export_default_time' }),
  },
})
