import { use, useMemo } from 'react'

interface City { name: string }

export default function Panel({ source }: { source: string }) {
  const cities = use(useMemo(() => load(source), [source]))
  return <p id="panel">Loaded {cities.length} cities: {cities.map((city) => city.name).join(', ')}</p>
}

const loading = new Map<string, Promise<City[]>>()

function load(source: string): Promise<City[]> {
  let promise = loading.get(source)
  if (promise === undefined) loading.set(source, promise = fetch(source).then((response) => response.json()))
  return promise
}
