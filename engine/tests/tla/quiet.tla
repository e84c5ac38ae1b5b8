------------------------------ MODULE Compose ------------------------------
\* A retrier and a server, composed: one retrier step and one server step make
\* a round.
\* S = 3, AMax = 2, T = 2, from qf = 15, qd = 0.
\* Nothing fresh arrives.
EXTENDS Integers

CONSTANTS
    \* @type: Int;
    S,         \* capacity: requests served a round
    \* @type: Int;
    AMax,      \* most fresh arrivals a round
    \* @type: Int;
    T,         \* retry timeout in rounds
    \* @type: Int;
    Q0,        \* fresh requests queued and pending at the start
    \* @type: Int;
    Qd0        \* duplicates queued at the start

VARIABLES
    \* @type: Int;
    qf,        \* fresh work queued at the server
    \* @type: Int;
    qd,        \* duplicate (retry) work queued at the server
    \* @type: Int;
    done,      \* fresh completions that the retrier has not read yet
    \* @type: Int;
    p,         \* the retrier's pending ledger
    \* @type: Str;
    turn       \* who moves next

vars == <<qf, qd, done, p, turn>>

\* @type: (Int, Int) => Int;
Min(a, b) == IF a < b THEN a ELSE b

\* @type: (Int, Int) => Int;
NatSub(a, b) == IF a > b THEN a - b ELSE 0

\* Pending requests that are within their latency budget.
LatThresh == S * T

\* Retries that the next retrier step sends.
Flux == NatSub(p - done, LatThresh) \div T

\* Quiet: nothing fresh arrives, retries keep firing.
Arrivals == {0}

Init ==
    /\ qf = Q0
    /\ qd = Qd0
    /\ done = 0
    /\ p = Q0
    /\ turn = "retrier"

RetrierTick ==
    /\ turn = "retrier"
    /\ \E a \in Arrivals :
        /\ qf' = qf + a
        /\ qd' = qd + Flux
        /\ p' = (p - done) + a
    /\ done' = 0
    /\ turn' = "server"

\* In proportion to the two queues.
Fresh(n) == IF qf + qd = 0 THEN 0 ELSE (n * qf) \div (qf + qd)

ServerTick ==
    /\ turn = "server"
    /\ LET n == Min(S, qf + qd)
           f == Fresh(n)
       IN  /\ qf' = qf - f
           /\ qd' = qd - (n - f)
           /\ done' = f
    /\ p' = p
    /\ turn' = "retrier"

Next == RetrierTick \/ ServerTick

\* A run never stops for ever.
Spec == Init /\ [][Next]_vars /\ WF_vars(Next)

\* The ledger equals the fresh queue plus the acks in transit.
PAcct == p = qf + done

\* The backlog stays within a cap.
Bounded == qf + qd <= 50

\* No more than one round's arrivals on top of what the server clears in a round.
Good == qf + qd <= S + AMax

\* The system comes to Good and stays there.
Stabilization == <>[]Good

\* The general trap region, at round starts. To look for a run into it, check
\* NotTrapped as an invariant.
Trapped ==
    /\ turn = "retrier"
    /\ qf >= T * S * (0 + 2)
    \* So many that S duplicates for each are never Good.
    /\ qf > (S + AMax) \div (S + 1)
    /\ qd >= S * qf

NotTrapped == ~Trapped

=============================================================================
