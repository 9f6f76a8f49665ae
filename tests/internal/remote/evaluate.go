package remote

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"
)

// Shown returns what a page shows, or why it cannot say so, for the log of a failed test. The test's
// context has ended by then.
func Shown(evaluate func(ctx context.Context, expression string, result any) error) string {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	var text string
	if err := evaluate(ctx, shown, &text); err != nil {
		return err.Error()
	}
	return text
}

const shown = `location.href + ' ' + document.readyState + '\n' + document.documentElement.innerText.slice(0, 4_000) + '\n' + [...document.querySelectorAll('iframe')].map(({ src }) => src).join(' ')`

// CheckEvaluate checks a driver's evaluation. An expression, which may be a promise, is
// evaluated to a JSON value. An exception is an error that names it. The call ends with
// its context. Syntax errors differ from browser to browser.
func CheckEvaluate(t *testing.T, patience time.Duration, syntaxError string, evaluate func(ctx context.Context, expression string, result any) error) {
	t.Helper()
	for expression, want := range map[string]string{
		`1 + 1`:                            "2",
		`Promise.resolve({a: ["\u2602"]})`: `map[a:[☂]]`,
		`undefined`:                        "<nil>",
		`null`:                             "<nil>",
		`(() => { throw new TypeError('no') })()`: "TypeError: no",
		`Promise.reject(new RangeError('far'))`:   "RangeError: far",
		`1 +`:                                     syntaxError,
		`new Promise(() => {})`:                   context.DeadlineExceeded.Error(),
	} {
		patience := patience
		if strings.HasPrefix(expression, "new Promise") {
			patience = 100 * time.Millisecond
		}
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		var result any
		err := evaluate(ctx, expression, &result)
		cancel()
		if got := fmt.Sprint(result); err == nil && got != want || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %s, %v; want %s", expression, got, err, want)
		}
	}
}
