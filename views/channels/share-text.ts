/** A share in per cent: `33.3%`, `50%`, `<0.1%`; 0 is `0%`. */
export function shareText(share: number): string {
  const rounded = Number((share * 100).toFixed(1))
  return share > 0 && rounded === 0 ? '<0.1%' : `${rounded}%`
}
