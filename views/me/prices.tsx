/** Tab of the personal settings: calls of models without a price. */

import { CheckField } from '../../client/components/choice.tsx'
import { Form } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { UNSET_MODEL_RATIO } from '../../src/billing/price.ts'
import { moneyText } from '../../src/billing/quota.ts'
import { ME_PATH } from '../../src/contracts/profile.ts'
import type { Visit } from '../../src/contracts/visit.ts'
import { Section } from './section.tsx'
import { MeTabs } from './tabs.tsx'

const MILLION = 1_000_000

export function PriceSettings({ visit, accepts }: { visit: Visit; accepts: boolean }) {
  const { t, currency } = usePageContext()
  const price = moneyText((UNSET_MODEL_RATIO * MILLION) / currency.quota_per_unit, 2)
  return (
    <>
      <MeTabs visit={visit} current="prices" />
      <div className="sections">
        <Section title={t('me.unpriced')} help={t('me.unpriced_help', { price })}>
          <Form
            values={{ accept_unset_model_ratio_model: accepts }}
            action={`${ME_PATH}/prices`}
            className="grid gap-4"
          >
            <CheckField name="accept_unset_model_ratio_model" label={t('me.unpriced_accept')} />
            <span>
              <button type="submit" className="btn btn-primary">
                {t('ui.save')}
              </button>
            </span>
          </Form>
        </Section>
      </div>
    </>
  )
}
