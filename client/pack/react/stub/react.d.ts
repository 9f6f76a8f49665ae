// What react.ts uses of React's types. The repository has no npm packages, so its compiler runs
// read this. tests/npmpackage checks the published types against React's own.
export interface RefObject<T> { readonly current: T | null }
export type ForwardedRef<T> = RefObject<T> | ((instance: T | null) => void) | null
export interface MutableRefObject<T> { current: T }
export interface ReactElement { readonly type: unknown }
export interface RefAttributes<T> { readonly ref?: ForwardedRef<T> | undefined }
export interface ForwardRefExoticComponent<P> {
  (props: P): ReactElement | null
  displayName?: string | undefined
}
export interface HTMLAttributes<T> {
  readonly className?: string | undefined
  readonly title?: string | undefined
  readonly onError?: ((event: T) => void) | undefined
  readonly children?: unknown
  readonly dangerouslySetInnerHTML?: unknown
}

export declare function createElement(type: string, props: object): ReactElement
export declare function forwardRef<T, P>(render: (props: P, ref: ForwardedRef<T>) => ReactElement | null): ForwardRefExoticComponent<P & RefAttributes<T>>
export declare function useEffect(effect: () => void | (() => void), inputs?: readonly unknown[]): void
export declare function useLayoutEffect(effect: () => void | (() => void), inputs?: readonly unknown[]): void
export declare function useImperativeHandle<T>(ref: ForwardedRef<T>, init: () => T, inputs?: readonly unknown[]): void
export declare function useRef<T>(initial: T): MutableRefObject<T>
export declare function useRef<T>(initial: null): RefObject<T>
