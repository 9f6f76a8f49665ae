const { ajax, filter, from, map, mergeMap, reduce } = { ...rxjs, ...rxjs.ajax, ajax: rxjs.ajax.ajax }
ajax.getJSON('/bells.json').pipe(
  mergeMap((bells) => from(bells)),
  map((bell) => bell * 2),
  reduce((sum, bell) => sum + bell),
  filter((sum) => sum > 0),
).subscribe((sum) => { document.getElementById('seen').textContent = sum })
