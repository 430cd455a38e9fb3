/** Drawing of the home page: a request arrives, the arm rises, a receipt is printed. `crop` cuts the left part for phones. */
import { usePageContext } from '../../client/components/page-context.tsx'

export function GateDrawing({ crop }: { crop?: boolean }) {
  const { t } = usePageContext()
  return (
    <svg
      className={crop ? 'gate-drawing sm:hidden crop' : 'gate-drawing max-sm:hidden'}
      viewBox={crop ? '204 44 396 262' : '0 0 600 310'}
      role="img"
      aria-label={t('home.drawing')}
    >
      <path className="road" d="M0 268.5H600" />
      <path className="lane" d="M0 276.5H600" strokeDasharray="2 6" />
      <rect className="post" x="221" y="146" width="26" height="122" rx="4" />
      <rect className="post" x="384" y="176" width="18" height="92" rx="4" />
      <g className="run">
        <rect x=".5" y="212.5" width="186" height="44" rx="6" className="paper" />
        <text x="14" y="231">
          POST /v1/messages
        </text>
        <text x="14" y="247" className="faint">
          claude-sonnet-4-5
        </text>
      </g>
      <g className="lift">
        <path className="barrier" d="M234 158 378 57" strokeWidth="14" />
        <path
          d="M270.9 132.1l20.5-14.4M307.7 106.3l20.5-14.4M344.6 80.4l20.5-14.4"
          stroke="var(--color-base-100)"
          strokeWidth="4.5"
        />
      </g>
      <circle cx="234" cy="158" r="5" fill="var(--color-base-100)" />
      <text x="221" y="298" className="faint">
        {t('home.drawing_checks')}
      </text>
      <text x="432" y="298" className="faint">
        {t('home.drawing_first')}
      </text>
      <g className="print">
        <rect x="432.5" y="212.5" width="166" height="44" rx="6" className="paper" />
        <text x="446" y="231" className="success">
          200 OK
        </text>
        <text x="446" y="247" className="faint">
          {t('home.drawing_tokens')}
        </text>
        <DrawnReceipt />
      </g>
    </svg>
  )
}

const TEETH = 14
const tornEdge = 'l-5.93 5-5.93-5'.repeat(TEETH)

function DrawnReceipt() {
  const { t } = usePageContext()
  return (
    <>
      <path className="paper" d={`M432.5 48.5h166v124${tornEdge}z`} />
      <DrawnLine y={72} label={t('home.input')} figure="0.006420" />
      <DrawnLine y={91} label={t('home.output')} figure="0.019290" />
      <path d="M446 102.5h139" stroke="var(--edge)" strokeDasharray="3 3" />
      <DrawnLine y={121} label="default" figure="× 1" />
      <DrawnLine y={147} label={t('ui.total')} figure="$0.025710" bold />
      <path d="M513 155.5h72M513 158.5h72" stroke="var(--ink)" />
    </>
  )
}

const DrawnLine = ({ y, label, figure, bold }: { y: number; label: string; figure: string; bold?: boolean }) => (
  <g fontWeight={bold ? 600 : undefined}>
    <text x="446" y={y}>
      {label}
    </text>
    <text x="585" y={y} textAnchor="end">
      {figure}
    </text>
  </g>
)
