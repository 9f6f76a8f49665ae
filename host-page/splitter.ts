// The bar between the stage and the panel. On a wide page the panel is beside the
// stage, on a narrow one below it. Its size is kept as a share.

const least = 20 // percent of the work area
const most = 75
const step = 2

export function splitter(bar: HTMLElement, work: HTMLElement): void {
  const wide = matchMedia('(min-width: 56rem)')
  const sizes = { wide: 38, narrow: 52 }

  const set = (share: number): void => {
    const size = Math.round(Math.min(most, Math.max(least, share)) * 10) / 10
    sizes[wide.matches ? 'wide' : 'narrow'] = size
    work.style.setProperty('--panel', `${size}%`)
    bar.setAttribute('aria-valuenow', String(Math.round(size)))
  }
  const now = (): number => sizes[wide.matches ? 'wide' : 'narrow']
  const turn = (): void => {
    bar.setAttribute('aria-orientation', wide.matches ? 'vertical' : 'horizontal')
    set(now())
  }

  bar.setAttribute('aria-valuemin', String(least))
  bar.setAttribute('aria-valuemax', String(most))
  wide.addEventListener('change', turn)
  turn()

  bar.addEventListener('keydown', (event) => {
    const target = {
      ArrowLeft: now() + step,
      ArrowUp: now() + step,
      ArrowRight: now() - step,
      ArrowDown: now() - step,
      Home: most,
      End: least,
    }[event.key]
    if (target === undefined) return
    event.preventDefault()
    set(target)
  })

  bar.addEventListener('pointerdown', (event) => {
    bar.setPointerCapture(event.pointerId)
    // Otherwise the sandbox's frame would receive the pointer's moves above it.
    work.classList.add('dragging')
  })
  bar.addEventListener('pointermove', (event) => {
    if (!bar.hasPointerCapture(event.pointerId)) return
    const box = work.getBoundingClientRect()
    set(wide.matches ? ((box.right - event.clientX) / box.width) * 100 : ((box.bottom - event.clientY) / box.height) * 100)
  })
  bar.addEventListener('lostpointercapture', () => work.classList.remove('dragging'))
}
